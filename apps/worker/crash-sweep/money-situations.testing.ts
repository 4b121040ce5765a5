/** Orders on their way to the money, each at another place of it. */
import { mint } from '@holdfast/core/domain';
import { receiveNotice, startPayment } from '@holdfast/core/order';
import { crashAt, TEST_SECRETS } from '@holdfast/core/testing';
import { type SignedNotice, signBody } from '../sign-for-test.testing.ts';
import { openProcess } from './open-process.testing.ts';
import type { SweepScene, SweptTrade } from './sweep-shop.testing.ts';

export type ChargedTrade = SweptTrade & { readonly notice: SignedNotice };
export interface MoneySituations {
  charged(between?: (trade: SweptTrade) => Promise<unknown>): Promise<ChargedTrade>;
  paid(between?: (trade: SweptTrade) => Promise<unknown>): Promise<ChargedTrade>;
  confirmed(): Promise<ChargedTrade>;
  stored(): Promise<ChargedTrade>;
  /** The intent's id. */
  strangersMoney(): Promise<string>;
}

export function moneySituations(scene: SweepScene): MoneySituations {
  const { pool, payments, provider } = scene;
  const noticeOf = async (intentId: string) => {
    const { rows } = await pool.query<{ body: string }>(
      'SELECT body FROM demo_provider.notice WHERE position($1 in body) > 0',
      [intentId],
    );
    return signBody(rows[0]?.body ?? '', TEST_SECRETS.PAYMENT_WEBHOOK_SECRET);
  };
  const situations: MoneySituations = {
    /** The buyer has begun to pay, and the provider has the money; nobody has told the shop. */
    async charged(between: (trade: SweptTrade) => Promise<unknown> = async () => undefined) {
      const trade = await scene.placed();
      await scene.settle();
      const started = await startPayment(payments, trade);
      if (started.kind !== 'started') throw new Error(started.message);
      await between(trade);
      await provider.act('pay', started.intentId);
      return { ...trade, notice: await noticeOf(started.intentId) };
    },
    /** Money that the provider took and the shop never asked for; the shop knows of it. */
    async strangersMoney(): Promise<string> {
      const intentId = mint<'IntentId'>();
      const payUntil = new Date(Date.now() + scene.aheadMs() + 3_600_000).toISOString();
      const intent = { intentId, attempt: 1, amountMinor: 500, currency: 'EUR', payUntil, providerRef: null };
      await provider.openIntent(intent);
      await provider.act('pay', intentId);
      await receiveNotice(payments, await noticeOf(intentId));
      return intentId;
    },
    /** The notice is stored, and whoever was to judge it has died. */
    async stored() {
      const charged = await situations.charged();
      const crash = crashAt(({ what }) => what.startsWith('WITH named'), 'after');
      const receiver = await openProcess(scene.shop, scene.stream, crash.io);
      await Promise.race([receiveNotice(receiver.trades, charged.notice).catch(() => undefined), crash.died]);
      await crash.died;
      receiver.close();
      return charged;
    },
    async paid(between?: (trade: SweptTrade) => Promise<unknown>) {
      const charged = await situations.charged(between);
      const receipt = await receiveNotice(payments, charged.notice);
      if (receipt.kind !== 'stored') throw new Error(`notice ${receipt.kind}`);
      return charged;
    },
    async confirmed() {
      const paid = await situations.paid();
      await scene.settle();
      return paid;
    },
  };
  return situations;
}
