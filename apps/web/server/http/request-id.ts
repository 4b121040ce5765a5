/**
 * One id per request, and the trace id that follows an order through outbox and ledger. A W3C `traceparent` of
 * a proxy is continued; anything else starts a new trace.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface RequestIds {
  readonly requestId: string;
  readonly traceId: string;
}

const TRACEPARENT = /^00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;
const ids = new WeakMap<IncomingMessage, RequestIds>();

export function nameRequest(req: IncomingMessage, res: ServerResponse): RequestIds {
  const parent = req.headers.traceparent;
  const traceId = (typeof parent === 'string' && TRACEPARENT.exec(parent)?.[1]) || randomHex();
  const named = { requestId: randomHex().slice(0, 16), traceId };
  ids.set(req, named);
  res.setHeader('x-request-id', named.requestId);
  return named;
}

export function idsOf(req: IncomingMessage): RequestIds {
  const known = ids.get(req);
  if (!known) throw new Error('a request without an id');
  return known;
}

/** 32 hex digits; Node draws randomness for many uuids at once, which randomBytes does not. */
function randomHex(): string {
  return randomUUID().replaceAll('-', '');
}
