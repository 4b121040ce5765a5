/**
 * The demo provider's own actions, only in the profiles demo and test: its page posts here, and what follows is
 * what a real provider would do: it books a charge and sends a signed notice to the shop's webhook over HTTP.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DemoAction } from '@holdfast/core/order';
import type { WebDeps } from '../open-stores.ts';
import { replyJson, replyRefusal } from './reply.ts';

export const DEMO_PROVIDER_PATH = '/demo-provider/';
const ACTION = /^\/demo-provider\/([0-9a-f-]{36})\/([a-z-]+)$/;
const ACTIONS: Record<string, DemoAction> = {
  pay: 'pay',
  decline: 'decline',
  'pay-late': 'pay-late',
  'pay-twice': 'pay-twice',
  'pay-wrong-amount': 'pay-wrong-amount',
};

export async function answerDemoProvider(
  deps: WebDeps,
  req: IncomingMessage,
  res: ServerResponse,
  pathname: string,
): Promise<void> {
  const [, intentId, name = ''] = ACTION.exec(pathname) ?? [];
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (!deps.demoProvider || !intentId || !action) return replyRefusal(res, 404, 'NOT_FOUND', 'There is nothing here.');
  if (req.method !== 'POST') return replyRefusal(res, 405, 'INVALID_INPUT', 'Only POST is answered here.');
  const sent = await deps.demoProvider.act(action, intentId);
  if (!sent) return replyRefusal(res, 404, 'NOT_FOUND', 'There is no such payment.');
  // What could not be delivered now is sent again until the shop has stored it.
  return replyJson(res, 200, { sent });
}
