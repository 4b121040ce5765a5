/**
 * POST /api/webhooks/payment. 200 means "stored", so the provider stops sending only then; 400 = not from the
 * provider or not readable; 503 = try again. Judging what was stored may follow later (P24, P25).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { receiveNotice } from '@holdfast/core/order';
import type { WebDeps } from '../open-stores.ts';
import { readBody } from './read-body.ts';
import { replyJson, replyRefusal } from './reply.ts';
import { idsOf } from './request-id.ts';

export const WEBHOOK_PATH = '/api/webhooks/payment';

export async function answerWebhook(deps: WebDeps, req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (req.method !== 'POST') return replyRefusal(res, 405, 'INVALID_INPUT', 'Only POST is answered here.');
  const body = await readBody(req);
  if (body.kind === 'too-large') return replyRefusal(res, 413, 'INVALID_INPUT', 'The notice is larger than 64 KB.');
  if (body.kind === 'broken') return replyRefusal(res, 400, 'INVALID_INPUT', 'The notice did not arrive whole.');
  const header = req.headers[deps.payments.provider.signatureHeader];
  try {
    const answer = await receiveNotice(deps.payments, {
      rawBody: body.bytes,
      signature: typeof header === 'string' ? header : undefined,
    });
    if (answer.kind === 'stored') return replyJson(res, 200, { stored: answer.eventId, verdict: answer.verdict });
    if (answer.kind === 'ignored') return replyJson(res, 200, { stored: null });
    if (answer.kind === 'bad-signature') return replyRefusal(res, 400, 'INVALID_INPUT', 'The signature does not fit.');
    const status = answer.code === 'INVALID_INPUT' ? 400 : 503;
    return replyRefusal(res, status, answer.code, answer.message);
  } catch (error) {
    deps.log.error({ err: error, ...idsOf(req) }, 'a payment notice could not be stored');
    return replyRefusal(res, 503, 'BUSY', 'Not stored; please send it again.');
  }
}
