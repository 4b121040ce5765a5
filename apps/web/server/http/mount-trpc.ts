/** /api/trpc on node:http, in front of Next. Queries may come in batches and by POST (long inputs, no 414). */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TRPCError } from '@trpc/server';
import { nodeHTTPRequestHandler } from '@trpc/server/adapters/node-http';
import { fromNodeHeaders } from 'better-auth/node';
import type { WebDeps } from '../open-stores.ts';
import { type Context, createContext } from '../trpc/context.ts';
import { appRouter } from '../trpc/router.ts';
import { declaredTooLarge, MAX_BODY_BYTES } from './read-body.ts';
import { replyRefusal } from './reply.ts';
import { idsOf } from './request-id.ts';

export const TRPC_PATH = '/api/trpc/';
const MAX_BATCH = 30;

export async function answerTrpc(
  deps: WebDeps,
  req: IncomingMessage,
  res: ServerResponse,
  pathname: string,
): Promise<void> {
  if (declaredTooLarge(req)) return replyRefusal(res, 413, 'INVALID_INPUT', 'The request is larger than 64 KB.');
  res.setHeader('cache-control', 'no-store');
  const path = pathname.slice(TRPC_PATH.length);
  await nodeHTTPRequestHandler({
    req,
    res,
    path,
    router: appRouter,
    maxBodySize: MAX_BODY_BYTES,
    maxBatchSize: MAX_BATCH,
    allowMethodOverride: true,
    createContext: () => contextOf(deps, req, res),
    onError: ({ error, path: failedPath }) => logFailure(deps, req, error, failedPath),
  });
}

export function contextOf(deps: WebDeps, req: IncomingMessage, res: ServerResponse): Context {
  return createContext(deps, {
    cookie: req.headers.cookie,
    headers: () => fromNodeHeaders(req.headers),
    ids: idsOf(req),
    setCookie: (value) => res.appendHeader('set-cookie', value),
  });
}

export function logFailure(deps: WebDeps, req: IncomingMessage, error: TRPCError, path: string | undefined): void {
  if (error.code !== 'INTERNAL_SERVER_ERROR') return;
  deps.log.error({ error: error.cause ?? error, path, ...idsOf(req) }, 'a procedure failed');
}
