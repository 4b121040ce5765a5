/**
 * Every reason for which gate and ledger may differ, as data. `explained` means in flight (P38): named by
 * something that will end it by itself. `risk` says which way an unexplained difference is wrong: `oversell`
 * when the gate holds too little, `undersell` when it holds too much (P37).
 */
export const DRIFT_CAUSES = {
  NOT_RECORDED: { explained: true, sentence: 'ordered; the ledger row is still on its way' },
  GIVE_BACK_PENDING: { explained: true, sentence: 'ended in the ledger; the give-back is still to be applied' },
  SETTLE_PENDING: { explained: true, sentence: 'sold in the ledger; the hold is still to be settled' },
  ABANDONED: { explained: true, sentence: 'proven ghost; the give-back is due' },
  JUST_TAKEN: { explained: true, sentence: 'taken a moment ago; its order may still be committed' },
  INTENDED: { explained: true, sentence: 'taken for a revive that is not decided yet' },
  RELOAD_PENDING: { explained: true, sentence: 'the SKU is about to be loaded anew from the ledger' },
  RAISE_PENDING: { explained: true, sentence: 'stock came in; the gate is still to be raised' },
  GHOST: { explained: false, sentence: 'a hold that no order names, older than the proof age' },
  ENDED_BUT_HELD: { explained: false, sentence: 'ended in the ledger and nothing is left to give it back' },
  SOLD_BUT_HELD: { explained: false, sentence: 'sold in the ledger and nothing is left to settle it' },
  MISSING_HOLD: { explained: false, sentence: 'an order names a hold that the gate does not have' },
  QUANTITY_DIFFERS: { explained: false, sentence: 'gate and ledger disagree on the units of one hold' },
  COUNTER_DIFFERS: { explained: false, sentence: 'the gate counts other units as sold than the ledger' },
  CAPACITY_DIFFERS: { explained: false, sentence: 'the gate has another capacity than the ledger' },
  GENERATION_DIFFERS: { explained: false, sentence: 'the gate was loaded under another generation' },
} as const satisfies Record<string, { explained: boolean; sentence: string }>;

export type DriftCause = keyof typeof DRIFT_CAUSES;
