import { refuse } from '@holdfast/core/domain';
import { readReservation } from '@holdfast/core/ops';
import { Refused } from '../failure.ts';
import { viewerProcedure } from '../init.ts';
import { reservationInput } from './reservations.schema.ts';

export const reservation = viewerProcedure.input(reservationInput).query(async ({ ctx, input }) => {
  const found = await readReservation(ctx.deps.readPool, input.reservationId);
  if (!found) throw new Refused(refuse('NOT_FOUND', 'No book knows this reservation.'));
  return found;
});
