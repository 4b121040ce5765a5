/** Stock that people change, and the mode it is sold in. */
import { mint } from '@holdfast/core/domain';
import { receiveStock, switchGateMode } from '@holdfast/core/ledger';
import { silentLog } from '@holdfast/core/platform';
import { applyImport, undoImport, uploadImport, writeOff } from '@holdfast/core/stock';
import { runFinishSwitches } from '../jobs/finish-switches.ts';
import type { ProductProcess } from './open-process.testing.ts';
import type { SweptHandler } from './sweep.testing.ts';
import { type SweepShop, UNITS } from './sweep-shop.testing.ts';

const desk = ({ pool, gate, trades: { waker } }: ProductProcess) => ({
  pool,
  gate,
  log: silentLog,
  waker,
  limitMs: 5000,
});

async function unitsOf({ pool }: SweepShop, skuId: string): Promise<number | undefined> {
  const { rows } = await pool.query<{ total: number }>(
    'SELECT total_quantity AS total FROM tinystore_inventory.inventory_stock WHERE sku_id = $1',
    [skuId],
  );
  return rows[0]?.total;
}
const counted = async (scene: SweepShop, skuId: string, wanted: number) => {
  const units = await unitsOf(scene, skuId);
  return units === wanted ? undefined : `${units} units instead of ${wanted}`;
};

async function imported(scene: SweepShop) {
  const [more, fewer] = [await scene.sku(), await scene.sku()];
  const text = ['ref,shop,sku,change', `${mint()},S1,${more},3`, `${mint()},S1,${fewer},-2`].join('\n');
  const answer = await uploadImport(scene.pool, { actor: 'ada', reason: 'count', fileName: 'count.csv', text });
  if (answer.kind !== 'uploaded') throw new Error(`not uploaded: ${answer.kind}`);
  return { more, fewer, action: { importId: answer.importId, actor: 'ada' } };
}

async function switching(scene: SweepShop) {
  const { skuId } = await scene.placed();
  return { shopId: 'S1', skuId, to: 'DATABASE', actor: 'ada', reason: 'ordinary goods' } as const;
}

export const STOCK_HANDLERS: readonly SweptHandler[] = [
  {
    name: 'receive stock',
    async given(scene) {
      const skuId = await scene.sku();
      const receipt = { shopId: 'S1', skuId, quantity: 5, operationId: mint<'OperationId'>(), actor: 'ada' };
      return {
        act: ({ pool }) => receiveStock(pool, receipt),
        again: async () => {
          await receiveStock(scene.pool, receipt);
          return counted(scene, skuId, UNITS + 5);
        },
      };
    },
  },
  {
    name: 'write off',
    async given(scene) {
      const skuId = await scene.sku();
      const ids = { shopId: 'S1', skuId, operationId: mint<'OperationId'>() };
      const wanted = { ...ids, quantity: 3, actor: 'ada', reason: 'broken' };
      return {
        act: (process) => writeOff(desk(process), wanted),
        again: async () => {
          const answer = await writeOff(desk(scene.own), wanted);
          if (answer.kind === 'refused') return `sent again it is ${answer.code}`;
          return counted(scene, skuId, UNITS - 3);
        },
      };
    },
  },
  {
    name: 'apply an import',
    async given(scene) {
      const { more, fewer, action } = await imported(scene);
      return {
        act: (process) => applyImport(desk(process), action),
        again: async () => {
          await applyImport(desk(scene.own), action);
          return (await counted(scene, more, UNITS + 3)) ?? (await counted(scene, fewer, UNITS - 2));
        },
      };
    },
  },
  {
    name: 'undo an import',
    async given(scene) {
      const { more, fewer, action } = await imported(scene);
      await applyImport(desk(scene.own), action);
      await scene.settle();
      return {
        act: (process) => undoImport(desk(process), action),
        again: async () => {
          await undoImport(desk(scene.own), action);
          return (await counted(scene, more, UNITS)) ?? (await counted(scene, fewer, UNITS));
        },
      };
    },
  },
  {
    name: 'switch to the database',
    async given(scene) {
      const command = await switching(scene);
      return { act: ({ trades }) => switchGateMode(trades, command) };
    },
  },
  {
    name: 'switch to the gate',
    async given(scene) {
      const command = await switching(scene);
      await switchGateMode(scene.payments, command);
      await scene.settle();
      return { act: ({ trades }) => switchGateMode(trades, { ...command, to: 'REDIS' }) };
    },
  },
  {
    name: 'finish a switch',
    async given(scene) {
      const { shopId, skuId, to, actor, reason } = await switching(scene);
      await scene.pool.query('SELECT tinystore_inventory.begin_switch($1, $2, $3, $4, $5)', [
        shopId,
        skuId,
        to,
        actor,
        reason,
      ]);
      await scene.pass(60_000);
      return { act: ({ jobs }) => runFinishSwitches(jobs) };
    },
  },
];
