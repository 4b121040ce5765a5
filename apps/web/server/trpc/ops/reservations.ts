import { listReservations } from '@holdfast/core/ops';
import { viewerProcedure } from '../init.ts';
import { reservationsInput } from './reservations.schema.ts';

export const reservations = viewerProcedure.input(reservationsInput).query(({ ctx, input }) => {
  const { limit, ...filter } = input;
  const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
  return listReservations(ctx.deps.readPool, { ...given, limit });
});
