/**
 * The thin listener of the hottest procedure, order.place: the very same tRPC procedure, answered in tRPC's own wire
 * format, without turning Node's request into a fetch Request on the way (half of an order's time in this process).
 * A test sends the same requests through both and compares the answers. Anything but a plain POST of JSON, a
 * batch for instance, goes to tRPC's adapter.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  callTRPCProcedure,
  getTRPCErrorFromUnknown,
  getTRPCErrorShape,
  TRPCError,
  transformTRPCResponse,
} from '@trpc/server';
import { getHTTPStatusCodeFromError } from '@trpc/server/http';
import superjson, { type SuperJSONResult } from 'superjson';
import type { WebDeps } from '../open-stores.ts';
import type { Context } from '../trpc/context.ts';
import { appRouter } from '../trpc/router.ts';
import { contextOf, logFailure } from './mount-trpc.ts';
import { readBody } from './read-body.ts';
import { replyJson, replyRefusal } from './reply.ts';

const PATH = 'order.place';
const { _config: trpcConfig } = appRouter._def;

export function isPlainPlaceOrder(req: IncomingMessage): boolean {
  return req.method === 'POST' && req.url === `/api/trpc/${PATH}` && req.headers['content-type'] === 'application/json';
}

export async function answerPlaceOrder(deps: WebDeps, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const body = await readBody(req);
  if (body.kind === 'broken') return void res.destroy();
  if (body.kind === 'too-large') return replyRefusal(res, 413, 'INVALID_INPUT', 'The request is larger than 64 KB.');
  const ctx = contextOf(deps, req, res);
  let input: unknown;
  // Read where the procedure asks for it, as the adapter does: what stands before its input runs first.
  const getRawInput = async () => {
    input = parse(body.bytes);
    return input;
  };
  const call = { path: PATH, type: 'mutation', getRawInput, ctx, signal: undefined, batchIndex: 0 } as const;
  try {
    const data: unknown = await callTRPCProcedure({ ...call, router: appRouter });
    replyJson(res, 200, transformTRPCResponse(trpcConfig, { result: { data } }));
  } catch (cause) {
    const error = getTRPCErrorFromUnknown(cause);
    logFailure(deps, req, error, PATH);
    replyJson(res, getHTTPStatusCodeFromError(error), errorBody(error, input, ctx));
  }
}

function errorBody(error: TRPCError, input: unknown, ctx: Context) {
  const shape = getTRPCErrorShape({ config: trpcConfig, error, type: 'mutation', path: PATH, input, ctx });
  return transformTRPCResponse(trpcConfig, { error: shape });
}

/** The procedure parses what comes out of here again, with its own schema. */
function parse(bytes: Buffer): unknown {
  try {
    return superjson.deserialize(JSON.parse(bytes.toString('utf8')) as SuperJSONResult);
  } catch (cause) {
    throw new TRPCError({ code: 'BAD_REQUEST', cause });
  }
}
