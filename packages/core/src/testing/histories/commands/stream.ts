/** The stream: a relay's pass, and messages that reach their consumers once, twice, late, or two at the same time. */
import { relayOnce } from '../../../outbox/relay.ts';
import { handleSlice } from '../../../stream/handle-slice.ts';
import type { ConsumerDefinition } from '../../../stream/index.ts';
import { concernsReader, PARTITIONS } from '../broker.ts';
import type { Command } from '../command.ts';
import { freeMember, type History, note, perform } from '../history.ts';
import { CONSUMERS, type Member } from '../members.ts';
import { part, pick, type Tape } from '../tape.ts';

export const STREAM: readonly Command[] = [
  {
    name: 'relay',
    weight: 14,
    run: async (history, tape) => {
      const member = freeMember(history, tape.who);
      await perform(history, { label: 'relay', member, work: () => relay(history, member) }, tape);
    },
  },
  { name: 'consume', weight: 22, run: consume },
  {
    name: 'rewind',
    weight: 2,
    run: async ({ broker, count }, { how, who }) => {
      const reader = pick(CONSUMERS, who);
      if (reader && broker.rewind(reader, part(how, 1, PARTITIONS), 1 + part(how, 2, 4))) count('! delivered twice');
    },
  },
];

export async function relay(history: History, { relay: deps }: Member): Promise<number> {
  const sent = await relayOnce(deps);
  if (sent > 0) history.count('sent');
  return sent;
}

/** Readers that are behind, so that a step is seldom idle. */
export function lagging({ broker }: History): { readonly reader: ConsumerDefinition; readonly partition: number }[] {
  return CONSUMERS.flatMap((reader) =>
    Array.from({ length: PARTITIONS }, (_, partition) => ({ reader, partition })).filter(
      ({ partition }) => broker.behind(reader, partition) > 0,
    ),
  );
}

async function consume(history: History, tape: Tape): Promise<void> {
  const place = pick(lagging(history), tape.how);
  if (!place) return;
  const member = freeMember(history, tape.who);
  const most = 1 + part(tape.how, 2, 4);
  const work = () => readOnce(history, member, place.reader, place.partition, most);
  await perform(history, { label: `consume ${place.reader.name}/${place.partition}`, member, work }, tape);
}

/** The offset is committed after the effect, by whoever is still alive. */
export async function readOnce(
  history: History,
  { consumer, steps }: Member,
  reader: ConsumerDefinition,
  partition: number,
  most: number,
): Promise<string> {
  const { from, messages } = history.broker.next(reader, partition, most);
  const concerned = messages.filter((message) => concernsReader(reader, message));
  if (concerned.length > 0) {
    history.count('consumed');
    note(history, `reads ${concerned.map(({ message }) => String(message.headers?.type)).join(', ')}`);
    await handleSlice(consumer, reader, concerned);
    await steps.io({ server: 'kafka', what: 'commit offset' }, async () =>
      history.broker.commit(reader, partition, from + messages.length),
    );
  } else history.broker.commit(reader, partition, from + messages.length);
  return `${concerned.length} messages`;
}
