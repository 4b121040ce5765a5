/** One history: its world, its processes, what its buyers know, and what has been held back, lost or broken so far. */
import type { PlaceOrderCommand, PlaceOrderResult } from '../../order/index.ts';
import { isDatabaseError } from '../../platform/index.ts';
import { ProcessDied } from '../io/index.ts';
import { type Broker, createBroker } from './broker.ts';
import type { LaneStores } from './lane-stores.ts';
import { type Member, type MemberParts, startMember } from './members.ts';
import { ConnectionLost, type LateCall, MISHAPS, type Mishap } from './steps.ts';
import type { Tape } from './tape.ts';
import type { World } from './world.ts';

export interface Ordered {
  readonly command: PlaceOrderCommand;
  tradeId?: string;
  /** Every answer that says "placed" names the same trade. */
  answer?: Extract<PlaceOrderResult, { kind: 'placed' }>;
}
interface Held {
  readonly label: string;
  readonly member: Member;
  readonly done: Promise<void>;
  /** Commands since. */
  age: number;
}

export interface History {
  readonly stores: LaneStores;
  readonly world: World;
  readonly broker: Broker;
  readonly orders: Ordered[];
  readonly held: Held[];
  readonly late: LateCall[];
  readonly broken: string[];
  /** Schedule in words, for whoever has to understand it. */
  readonly words: string[];
  readonly count: (what: string) => void;
  clockMs: number;
  /** Data was rolled back under living connections: until the next look over-admission is allowed (P9). */
  rolledBack: boolean;
  mishaps: boolean;
  members: Member[];
  newMember(): Member;
  steps(): number;
}

export interface HistoryParts {
  readonly stores: LaneStores;
  readonly parts: MemberParts;
  readonly world: World;
  readonly count: (what: string) => void;
}

export function startHistory({ stores, parts, world, count }: HistoryParts): History {
  const broker = createBroker();
  const late: LateCall[] = [];
  const all: Member[] = [];
  const history: History = {
    ...{ stores, world, broker, late, count },
    orders: [],
    held: [],
    broken: [],
    words: [],
    clockMs: 0,
    rolledBack: false,
    mishaps: true,
    members: [],
    newMember() {
      const member = startMember({
        ...{ stores, parts, broker, relayBatch: world.relayBatch },
        name: `p${all.length + 1}`,
        onLate: (call) => late.push(call),
        onLog: (words) => note(history, `  ${words}`),
      });
      all.push(member);
      history.members.push(member);
      return member;
    },
    steps: () => all.reduce((sum, { steps }) => sum + steps.count(), 0),
  };
  return history;
}

/** A process that is doing nothing; sometimes a new one, so that each sees its own life of the gate. */
export function freeMember(history: History, choice: number): Member {
  const busy = new Set(history.held.map(({ member }) => member));
  const free = history.members.filter((member) => !busy.has(member) && !member.steps.isDead());
  const most = 3;
  return (
    (free.length < most && choice % 4 === 3 ? undefined : free[choice % Math.max(1, free.length)]) ??
    history.newMember()
  );
}

/** Commands that others run meanwhile. */
const PATIENCE = 2;

export interface Deed {
  readonly label: string;
  readonly member: Member;
  readonly work: () => Promise<unknown>;
}

/** Runs until it ends or is held; whatever comes of it later is judged then. */
export async function perform(history: History, { label, member, work }: Deed, tape: Tape): Promise<void> {
  const mishap = history.mishaps ? chooseMishap(history.world, label, tape) : undefined;
  member.steps.arm(mishap);
  history.count(label.split(' ')[0] ?? label);
  const done = work().then(
    (value) => {
      note(history, `${member.name} ${label}: ${inWords(value)}`);
    },
    (error: unknown) => judge(history, `${member.name} ${label}`, error),
  );
  const outcome = await Promise.race([done.then(() => 'ended'), member.steps.held().then(() => 'held')]);
  const struck = member.steps.struck();
  if (struck) {
    history.count(`! ${struck.kind}`);
    note(history, `${member.name} ${label}: ${struck.kind} at ${struck.call.server} ${struck.call.what}`);
  }
  if (outcome === 'held') history.held.push({ label, member, done, age: 0 });
  else member.steps.arm(undefined);
}

export async function resume(history: History, index: number, fate: 'goes-on' | 'dies'): Promise<void> {
  const [held] = history.held.splice(index, 1);
  if (!held) return;
  note(history, `${held.member.name} ${held.label} ${fate}`);
  history.count(`! ${fate}`);
  if (fate === 'dies') held.member.steps.die();
  else held.member.steps.resume();
  await held.done;
}

/** A paused process must not stop the shop: the server cuts off who stands still within a transaction (P12). */
export function cutOffIdle(history: History): void {
  for (const held of history.held) if (++held.age === PATIENCE) held.member.cutOff();
}

export function note(history: History, words: string): void {
  history.words.push(words);
}

/** Half of them at the steps on which most depends. */
const FOCUS: readonly (readonly [label: string, steps: readonly string[]])[] = [
  ['place', ['commit_orders', 'commit_orders', 'commit_orders', 'evalsha']],
  ['write-off', ['commit_write_off', 'evalsha']],
  ['gatekeeper', ['evalsha', 'UPDATE tinystore_inventory.gate_epoch', 'gate_effect', 'script LOAD']],
  ['rebuild', ['evalsha', 'UPDATE tinystore_inventory.gate_epoch', 'script LOAD', 'advisory']],
  ['payment.late-money', ['COMMIT', 'evalsha']],
  ['consume', ['COMMIT', 'commit offset', 'INSERT']],
  ['relay', ['send', 'outbox_sent', 'UPDATE']],
  ['gate.sweep-ghost-holds', ['abandon', 'evalsha']],
];

function chooseMishap({ trouble }: World, label: string, tape: Tape): Mishap | undefined {
  if (tape.fault % 100 < 100 - trouble) return undefined;
  const choice = Math.floor(tape.fault / 100);
  const kind = MISHAPS[choice % MISHAPS.length] ?? 'hold';
  const where = Math.floor(choice / MISHAPS.length);
  const focus = FOCUS.find(([of]) => label.startsWith(of))?.[1];
  const of = focus && where % 3 > 0 ? focus[Math.floor(where / 3) % focus.length] : undefined;
  if (of !== undefined) return { kind, of, at: 1 + (Math.floor(where / 12) % 7 === 6 ? 1 : 0) };
  return { kind, at: 1 + (Math.floor(where / 3) % (where % 2 ? 6 : 16)) };
}

/** What a client would see as busy, lost or unknown is an answer; all else is a defect. */
function judge(history: History, label: string, error: unknown): void {
  note(history, `${label}: ${String(error)}`);
  if (error instanceof ProcessDied || error instanceof ConnectionLost || isDatabaseError(error)) return;
  history.broken.push(`${label} threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
}

function inWords(value: unknown): string {
  if (value === undefined) return 'done';
  const text = JSON.stringify(value) ?? '';
  return text.length > 160 ? `${text.slice(0, 160)}...` : text;
}
