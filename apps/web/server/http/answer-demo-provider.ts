/**
 * The demo provider's own actions, only in the profiles demo and test: its page posts here, and what follows is
 * what a real provider would do, a signed notice to the shop's webhook over HTTP.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { UUID_PATTERN } from '@holdfast/core/domain';
import { type DemoProvider, readPayment } from '@holdfast/core/order';
import type { WebDeps } from '../open-stores.ts';
import { replyJson, replyRefusal } from './reply.ts';

export const DEMO_PROVIDER_PATH = '/demo-provider/';
const ACTION = /^\/demo-provider\/([0-9a-f-]{36})\/(pay|decline|pay-twice|pay-wrong-amount)$/;

export async function answerDemoProvider(
  deps: WebDeps,
  req: IncomingMessage,
  res: ServerResponse,
  pathname: string,
): Promise<void> {
  const [, intentId, action] = ACTION.exec(pathname) ?? [];
  if (!deps.demoProvider || !intentId || !action) return replyRefusal(res, 404, 'NOT_FOUND', 'There is nothing here.');
  if (req.method !== 'POST') return replyRefusal(res, 405, 'INVALID_INPUT', 'Only POST is answered here.');
  const payment = UUID_PATTERN.test(intentId) ? await readPayment(deps.readPool, intentId) : undefined;
  if (!payment) return replyRefusal(res, 404, 'NOT_FOUND', 'There is no such payment.');
  const sent = await act(deps.demoProvider, action, payment);
  if (sent.every((notice) => notice.delivered)) return replyJson(res, 200, { sent });
  return replyRefusal(res, 502, 'PROVIDER_AWAY', 'The notice could not be delivered to the shop yet.');
}

function act(provider: DemoProvider, action: string, charge: Parameters<DemoProvider['pay']>[0]) {
  switch (action) {
    case 'pay':
      return provider.pay(charge);
    case 'pay-twice':
      return provider.payTwice(charge);
    case 'pay-wrong-amount':
      return provider.payWrongAmount(charge);
    default:
      return provider.decline(charge);
  }
}
