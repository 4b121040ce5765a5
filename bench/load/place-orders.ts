/**
 * Load generator, a process of its own: closed loop, each connection sends its next order when the last is answered;
 * with a wanted rate, not before its turn either. Reads its task as JSON from the first argument and prints what it saw as one JSON line.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { mint } from '@holdfast/core/domain';
import { newBuyerCookie } from './buyer-cookie.ts';
import { openLane } from './http-lane.ts';

export interface LoadTask {
  readonly baseUrl: string;
  readonly cookieSecret: string;
  readonly connections: number;
  readonly seconds: number;
  /** Default: as many as are answered. */
  readonly ordersASecond?: number;
  readonly shopId: string;
  readonly skuIds: readonly string[];
  readonly unitPriceMinor: number;
}

export interface LoadResult {
  readonly placed: number;
  readonly refused: Readonly<Record<string, number>>;
  readonly seconds: number;
  /** Milliseconds from request to answer of placed orders, sorted. */
  readonly latenciesMs: readonly number[];
  readonly cpuSeconds: number;
  /** Of all placed orders. */
  readonly tradeIds: readonly string[];
  /** Some of the orders, for the payment phase. */
  readonly sample: readonly { readonly tradeId: string; readonly cookie: string }[];
}

const SAMPLE = 400;

async function main(task: LoadTask): Promise<LoadResult> {
  const latenciesMs: number[] = [];
  const tradeIds: string[] = [];
  const refused: Record<string, number> = {};
  const sample: { tradeId: string; cookie: string }[] = [];
  const started = performance.now();
  const end = started + task.seconds * 1000;
  let turn = 0;

  const apartMs = task.ordersASecond ? (1000 * task.connections) / task.ordersASecond : 0;
  const runLane = async (index: number) => {
    const lane = await openLane(task.baseUrl);
    let dueAt = started + (apartMs * index) / task.connections;
    while (performance.now() < end) {
      if (apartMs > 0) await sleep(Math.max(0, dueAt - performance.now()));
      dueAt += apartMs;
      const cookie = newBuyerCookie(task.cookieSecret);
      const skuId = task.skuIds[turn++ % task.skuIds.length];
      const json = {
        key: mint<'key'>(),
        lines: [{ shopId: task.shopId, skuId, quantity: 1, unitPriceMinor: task.unitPriceMinor }],
      };
      const sent = performance.now();
      const answer = await lane.post('/api/trpc/order.place', cookie, JSON.stringify({ json }));
      if (answer.status === 200) {
        latenciesMs.push(performance.now() - sent);
        const tradeId = tradeIdOf(answer.body);
        tradeIds.push(tradeId);
        if (sample.length < SAMPLE && latenciesMs.length % 5 === 0) sample.push({ tradeId, cookie });
      } else refused[answer.status] = (refused[answer.status] ?? 0) + 1;
    }
    lane.close();
  };
  await Promise.all(Array.from({ length: task.connections }, (_, index) => runLane(index)));
  const { user, system } = process.cpuUsage();
  return {
    placed: latenciesMs.length,
    refused,
    tradeIds,
    seconds: (performance.now() - started) / 1000,
    sample,
    latenciesMs: latenciesMs.sort((a, b) => a - b),
    cpuSeconds: (user + system) / 1e6,
  };
}

function tradeIdOf(body: string): string {
  return /"tradeId":"([0-9a-f-]{36})"/.exec(body)?.[1] ?? '';
}

const result = await main(JSON.parse(process.argv[2] ?? '{}') as LoadTask);
process.stdout.write(`${JSON.stringify(result)}\n`);
