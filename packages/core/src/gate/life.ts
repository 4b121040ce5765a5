/** The present life of the gate as this process last saw it: the epoch row and the scripts that carry its number. */
import type { Pool } from '../platform/index.ts';
import { type GateEpoch, readEpoch } from './epoch.ts';
import { type Scripts, scriptsFor } from './scripts.ts';

/** The row is looked at again at least this often; refusals look at once. */
const MAX_AGE_MS = 1000;

export interface Life extends GateEpoch {
  readonly scripts: Scripts | undefined;
}

export interface LifeView {
  /** As last seen; undefined before the first look. */
  last(): Life | undefined;
  /** An open life seen within the last second, or a new look. */
  present(): Promise<Life>;
  /** Looks again; one look at a time serves all who ask. */
  look(): Promise<Life>;
}

export function createLifeView(pool: Pool): LifeView {
  let life: Life | undefined;
  let seenAt = 0;
  let looking: Promise<Life> | undefined;

  const look = () => {
    looking ??= readEpoch(pool)
      .then((row) => {
        const scripts = life?.epoch === row.epoch ? life.scripts : row.epoch > 0 ? scriptsFor(row.epoch) : undefined;
        life = { ...row, scripts };
        seenAt = performance.now();
        return life;
      })
      .finally(() => {
        looking = undefined;
      });
    return looking;
  };
  return {
    last: () => life,
    look,
    present: async () =>
      life?.open && !life.closedReported && performance.now() - seenAt < MAX_AGE_MS ? life : look(),
  };
}
