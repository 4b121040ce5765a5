/**
 * Named stop points (test builds only): a process kills itself, freezes or waits exactly where a test wants it.
 * HOLDFAST_STOP_AT=<point>:<kill|freeze|wait-ms>[:<after how many passes>]
 */
import { setTimeout as sleep } from 'node:timers/promises';

export const STOP_POINTS = [
  /** The gate script has answered: the units are held. */
  'order.after-take',
  'order.before-commit',
  'order.after-commit',
  /** The relay has claimed its batch. */
  'relay.before-send',
  /** The broker has acknowledged, nothing is marked. */
  'relay.after-ack',
  /** In the consumer's transaction: the inbox mark is written, the effect is not. */
  'consumer.after-mark',
  'consumer.after-effect',
  /** The handler's transaction is committed. */
  'consumer.after-commit',
  'consumer.before-offset',
  /** The ledger's rows are final, the gate does not know yet. */
  'effects.before-gate',
  /** A rebuild of the gate: nothing is locked yet; the exclusive lock is granted; the new epoch stands and the snapshot is
   * taken; the lock is given up; every SKU is installed; the scripts are there, the gate is not open yet. */
  'rebuild.begun',
  'rebuild.locked',
  'rebuild.raised',
  'rebuild.unlocked',
  'rebuild.installed',
  'rebuild.loaded',
  /** A write-off holds its units at the gate, nothing is booked. */
  'stock.after-take',
  /** It is booked, nobody has been told. */
  'stock.after-commit',
  /** A row of an import has claimed its reference. */
  'stock.import-row',
  /** A mode switch: the row says SWITCHING; what was in flight has its rows; the row has its new mode. */
  'switch.begun',
  'switch.recorded',
  'switch.finished',
] as const;
export type StopPoint = (typeof STOP_POINTS)[number];
export type StopAt = (point: StopPoint) => Promise<void>;

const FORM = /^(?<point>[a-z.-]+):(?<action>kill|freeze|wait-\d+)(?::(?<passes>\d+))?$/;

/**
 * @param text the variable's value; undefined means no stop point.
 * @throws on a value it does not understand, and in production whatever the value.
 */
export function stopPoint(profile: string, text: string | undefined): StopAt | undefined {
  if (text === undefined || text === '') return undefined;
  if (profile !== 'test') throw new Error('stop points exist in test builds only');
  const { point: wanted, action = '', passes } = FORM.exec(text)?.groups ?? {};
  if (!wanted || !STOP_POINTS.some((point) => point === wanted))
    throw new Error(`HOLDFAST_STOP_AT: cannot read "${text}"`);
  let left = Number(passes ?? 0);
  return async (point) => {
    if (point !== wanted || left-- > 0) return;
    if (action === 'kill') process.kill(process.pid, 'SIGKILL');
    else if (action === 'freeze') process.kill(process.pid, 'SIGSTOP');
    else await sleep(Number(action.slice('wait-'.length)));
  };
}
