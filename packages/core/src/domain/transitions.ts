/**
 * Transition tables as data (design section 4). A final state is an empty row. Every UPDATE that moves a state names
 * the states it may leave: from here (`sourcesOf`) where a move may come from several, in the statement where its cause
 * belongs to one state only. `checkTransitions` runs when a process starts.
 */
export const TRADE = {
  UNPAID: ['PAID_PENDING', 'CLOSED'],
  PAID_PENDING: ['PAID', 'CLOSED'],
  CLOSED: ['PAID_PENDING', 'REFUNDED'],
  PAID: ['SHIPPED', 'REFUNDED'],
  SHIPPED: ['RECEIVED', 'REFUNDED'],
  RECEIVED: ['REFUNDED'],
  REFUNDED: [],
} as const;

export const SHOP_ORDER = {
  RESERVING: ['RESERVED', 'RELEASING', 'RELEASED'],
  RESERVED: ['CONFIRMING', 'RELEASING', 'RELEASED'],
  CONFIRMING: ['CONFIRMED', 'RELEASING', 'RELEASED'],
  CONFIRMED: ['SHIPPED', 'REFUNDED'],
  SHIPPED: ['RECEIVED', 'REFUNDED'],
  RECEIVED: ['REFUNDED'],
  RELEASING: ['RELEASED'],
  RELEASED: ['CONFIRMING'],
  REFUNDED: [],
} as const;

export const RESERVATION = {
  PRE_DEDUCTED: ['CONFIRMED', 'RELEASED', 'EXPIRED'],
  CONFIRMED: [],
  RELEASED: [],
  EXPIRED: [],
} as const;

export const PAYMENT_INTENT = {
  CREATED: ['PROCESSING', 'FAILED', 'SUCCEEDED', 'CLOSED'],
  PROCESSING: ['FAILED', 'SUCCEEDED', 'CLOSED'],
  FAILED: ['PROCESSING', 'SUCCEEDED', 'CLOSED'],
  CLOSED: ['SUCCEEDED'],
  SUCCEEDED: ['REFUNDED'],
  REFUNDED: [],
} as const;

/** SENT -> SENT: the provider's answer was lost, and the same key is sent again. */
export const REFUND = {
  REQUESTED: ['SENT'],
  SENT: ['SENT', 'SUCCEEDED', 'FAILED'],
  FAILED: ['SENT'],
  SUCCEEDED: [],
} as const;

export const RETURN_ITEM = {
  REQUESTED: ['REFUSED', 'RECEIVED'],
  RECEIVED: ['REFUNDED'],
  REFUSED: [],
  REFUNDED: [],
} as const;

/** A PARKED message that fails when its turn has come is tried again like any other. */
export const DEAD_LETTER = {
  RETRYING: ['DEAD', 'RESOLVED'],
  PARKED: ['RETRYING', 'RESOLVED'],
  DEAD: ['RESOLVED', 'DISCARDED'],
  RESOLVED: [],
  DISCARDED: [],
} as const;

/** The order's side of a coupon's use; PENDING and REJECTED exist only when uses are locked by events. */
export const PROMOTION_LOCK = {
  PENDING: ['LOCKED', 'RELEASED', 'REJECTED'],
  LOCKED: ['COMMITTED', 'RELEASED'],
  COMMITTED: [],
  // A revive, of a use that is counted in the order itself.
  RELEASED: ['LOCKED'],
  REJECTED: [],
} as const;

export type TradeStatus = keyof typeof TRADE;
export type ShopOrderStatus = keyof typeof SHOP_ORDER;
export type ReservationStatus = keyof typeof RESERVATION;
export type PaymentIntentStatus = keyof typeof PAYMENT_INTENT;
export type RefundStatus = keyof typeof REFUND;
export type ReturnItemStatus = keyof typeof RETURN_ITEM;
export type DeadLetterStatus = keyof typeof DEAD_LETTER;
export type PromotionLockStatus = keyof typeof PROMOTION_LOCK;

type Table = Record<string, readonly string[]>;
const MACHINES: Record<string, Table> = {
  TRADE,
  SHOP_ORDER,
  RESERVATION,
  PAYMENT_INTENT,
  REFUND,
  RETURN_ITEM,
  DEAD_LETTER,
  PROMOTION_LOCK,
};

/** States from which `to` may be entered; the guard of the UPDATE that enters it. */
export function sourcesOf<T extends Table>(table: T, to: keyof T & string): (keyof T & string)[] {
  return Object.keys(table).filter((from) => table[from]?.includes(to));
}

/** Throws when a table names a state it does not define. Called once by each process. */
export function checkTransitions(): void {
  for (const [machine, table] of Object.entries(MACHINES))
    for (const [from, targets] of Object.entries(table))
      for (const to of targets) if (!(to in table)) throw new Error(`${machine}: ${from} -> ${to}, which is no state`);
}
