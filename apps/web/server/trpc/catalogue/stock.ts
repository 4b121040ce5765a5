import { freeUnits } from '@holdfast/core/domain';
import { openProcedure } from '../init.ts';
import { stockInput } from './stock.schema.ts';

/**
 * Free units at the gate, read for this request (C62: never older than five seconds on a screen). `free: null`
 * means not known, because the gate is closed or does not answer; it is never said as zero.
 */
export const stock = openProcedure.input(stockInput).query(async ({ ctx, input }) => {
  const readings = await ctx.deps.gate.read(input.skus);
  return {
    readAt: new Date(),
    lines: readings.map((reading) => ({
      shopId: reading.shopId,
      skuId: reading.skuId,
      free: reading.kind === 'read' ? freeUnits(reading.total, reading.deducted) : null,
      /** Unpaid holds: units of a sold-out SKU that may come back. */
      holds: reading.kind === 'read' ? reading.holdCount : null,
    })),
  };
});
