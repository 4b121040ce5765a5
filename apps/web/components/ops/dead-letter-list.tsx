'use client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTRPC } from '../trpc/client.tsx';
import { StateChip } from '../ui/state-chip.tsx';
import { Waiting } from '../ui/waiting.tsx';
import type { By } from './acting.tsx';
import { Ago, ReadAt } from './ago.tsx';
import { DeadLetterActions } from './dead-letter-actions.tsx';
import { MoreButton } from './more-button.tsx';
import { Failed, Nothing, Panel } from './panel.tsx';
import { refreshPages } from './refresh-pages.ts';
import type { DeadLetter } from './types.ts';

const REFRESH_MS = 3000;

/** Every failing message that is still open, newest first, from `ops.deadLetters`. */
export function DeadLetterList({ by }: { by: By }) {
  const trpc = useTRPC();
  const list = useInfiniteQuery(
    trpc.ops.deadLetters.infiniteQueryOptions(
      {},
      { getNextPageParam: (page) => page.next ?? undefined, refetchInterval: refreshPages(REFRESH_MS) },
    ),
  );
  const letters = list.data?.pages.flatMap((page) => page.letters);
  const readAt = list.dataUpdatedAt ? new Date(list.dataUpdatedAt) : undefined;
  return (
    <>
      <Panel title="Open, newest first" aside={<ReadAt at={readAt} stale={list.isRefetchError} />}>
        {letters ? (
          letters.length === 0 ? (
            <Nothing>No message fails, and none waits.</Nothing>
          ) : (
            <ul className="divide-y divide-line">
              {letters.map((letter) => (
                <LetterRow key={letter.id} letter={letter} by={by} />
              ))}
            </ul>
          )
        ) : list.error ? (
          <Failed error={list.error} what="Messages" />
        ) : (
          <Waiting className="h-40 rounded-none" />
        )}
      </Panel>
      <MoreButton of={list}>Older ones</MoreButton>
    </>
  );
}

function LetterRow({ letter, by }: { letter: DeadLetter; by: By }) {
  const { status, type, consumer, key, topic, partition, offset, attempts, reason, updatedAt } = letter;
  return (
    <li className="grid gap-x-4 gap-y-1 px-3 py-2.5 md:grid-cols-[6rem_minmax(0,1fr)_7rem]" data-letter={letter.id}>
      <span>
        <StateChip state={status} word={status.toLowerCase()} />
      </span>
      <span className="min-w-0">
        <span className="text-sm font-medium">{type}</span>
        <span className="block break-words text-xs">{reason}</span>
        <span className="block truncate font-mono text-xs text-soft">
          {consumer} · {topic}/{partition}@{offset} · key {key || 'none'} · {attempts} tries
        </span>
        <DeadLetterActions letter={letter} by={by} />
      </span>
      <span className="text-xs text-soft md:text-right">
        <Ago at={updatedAt} />
      </span>
    </li>
  );
}
