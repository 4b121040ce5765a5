/** Plays one tape against the real code and says what was broken. */

import { setClockOffset } from '../clock.ts';
import type { Command } from './command.ts';
import { BUYERS } from './commands/buyers.ts';
import { FAULTS } from './commands/faults.ts';
import { JOB_COMMANDS } from './commands/jobs.ts';
import { MONEY } from './commands/money.ts';
import { STOCK } from './commands/stock.ts';
import { STREAM } from './commands/stream.ts';
import { finish } from './finish.ts';
import { cutOffIdle, type History, type HistoryParts, startHistory } from './history.ts';
import { watchPromises } from './look.ts';
import type { Script, Tape } from './tape.ts';
import { makeWorld, planWorld, type World } from './world.ts';

export const COMMANDS: readonly Command[] = [...BUYERS, ...MONEY, ...STREAM, ...JOB_COMMANDS, ...STOCK, ...FAULTS];

export interface Played {
  readonly broken: readonly string[];
  readonly words: readonly string[];
  readonly steps: number;
}

export async function runHistory(
  lane: Omit<HistoryParts, 'world'>,
  { world: numbers, tapes }: Script,
): Promise<Played> {
  const world = planWorld(numbers);
  await lane.stores.reset();
  await setClockOffset(lane.stores.pool, 0);
  await makeWorld(lane.stores, world);
  const history = startHistory({ ...lane, world });
  await history.newMember().gatekeeper.runOnce();
  const watch = watchPromises(history, () => history.rolledBack);
  const commands = weigh(world);
  for (const tape of tapes) {
    await find(commands, tape)?.run(history, tape);
    cutOffIdle(history);
    await watch.look();
    if (history.broken.length > 0) break;
  }
  const steps = history.steps();
  if (history.broken.length === 0) {
    await finish(history);
    await watch.look();
  } else await letGo(history);
  return { broken: history.broken, words: history.words, steps };
}

/** The schedule with its commands by name, as the corpus keeps it. */
export function nameCommands({ world, tapes }: Script): Script {
  const commands = weigh(planWorld(world));
  return { world, tapes: tapes.map((tape) => ({ ...tape, what: find(commands, tape)?.name ?? '' })) };
}

/** One entry a unit of weight. */
function weigh({ calm, busy }: World): Command[] {
  return COMMANDS.filter(({ kind }) => kind === undefined || !calm.includes(kind)).flatMap((command) =>
    Array.from({ length: command.weight * (busy.includes(command.name) ? 3 : 1) }, () => command),
  );
}

function find(commands: readonly Command[], { what }: Tape): Command | undefined {
  return typeof what === 'number' ? commands[what % commands.length] : COMMANDS.find(({ name }) => name === what);
}

/** A broken history is over; nothing of it may go on into the next. */
async function letGo(history: History): Promise<void> {
  for (const { member } of history.held) member.steps.die();
  await Promise.all(history.held.map(({ done }) => done));
}
