/** Reads a request's body up to a limit; what is longer is refused without being kept. */
import type { IncomingMessage } from 'node:http';

export const MAX_BODY_BYTES = 64 * 1024;
const BODY_TIMEOUT_MS = 5000;

export type Body = { kind: 'read'; bytes: Buffer } | { kind: 'too-large' } | { kind: 'broken' };

export function readBody(req: IncomingMessage, limit = MAX_BODY_BYTES): Promise<Body> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const done = (body: Body) => {
      clearTimeout(timer);
      req.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
      if (body.kind !== 'read') req.resume();
      resolve(body);
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) done({ kind: 'too-large' });
      else chunks.push(chunk);
    };
    const onEnd = () => done({ kind: 'read', bytes: Buffer.concat(chunks) });
    const onBroken = () => done({ kind: 'broken' });
    const timer = setTimeout(onBroken, BODY_TIMEOUT_MS);
    if (declaredTooLarge(req, limit)) return done({ kind: 'too-large' });
    req.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
  });
}

export function declaredTooLarge(req: IncomingMessage, limit = MAX_BODY_BYTES): boolean {
  return Number(req.headers['content-length'] ?? 0) > limit;
}
