'use client';
/** Explain this number: the figure, the named rows that add up to it, and what stands behind each, from `ops.explainFigure`. */
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useSearchParams } from 'next/navigation';
import { useTRPC } from '../trpc/client.tsx';
import { whileFound } from '../trpc/while-found.ts';
import { join } from '../ui/join.ts';
import { Waiting } from '../ui/waiting.tsx';
import { type ExplainAddress, explainAddress, FIGURE_NAMES, FIGURE_WORDS, readExplain } from './explain-address.ts';
import { ExplainAnswer } from './explain-answer.tsx';
import { ExplainTime } from './explain-time.tsx';
import { FigureRows } from './figure-rows.tsx';
import { Failed, PageHead, Panel } from './panel.tsx';

const REFRESH_MS = 3000;
const BOOKS = { gate: 'Gate, Redis', between: 'Difference', ledger: 'Ledger, PostgreSQL' } as const;

export function ExplainPage({ shopId, skuId }: { shopId: string; skuId: string }) {
  const asked = { shopId, skuId, ...readExplain(useSearchParams()) };
  const { figure, at, row } = asked;
  const trpc = useTRPC();
  const { data, error } = useQuery(
    trpc.ops.explainFigure.queryOptions(
      { shopId, skuId, figure, ...(at && { at }) },
      // The past stays as it was.
      { refetchInterval: at ? false : whileFound(REFRESH_MS) },
    ),
  );
  const list = data?.kind === 'explained' ? data.rows.find(({ name }) => name === row)?.leadsTo : undefined;
  return (
    <>
      <PageHead title="Explain this number">
        <span className="flex flex-wrap gap-x-4 text-sm text-soft">
          <Link href="/ops/counters" className="underline underline-offset-4">
            Counters
          </Link>
          <Link href={`/ops/reconcile?shop=${shopId}&sku=${skuId}`} className="underline underline-offset-4">
            Reconcile log of this SKU
          </Link>
        </span>
      </PageHead>
      <p className="mb-3 text-sm">
        <span className="font-mono">{skuId}</span> <span className="text-soft">{shopId}</span>
      </p>
      <div className="grid items-start gap-4 lg:grid-cols-[13rem_minmax(0,1fr)]">
        <FigureList asked={asked} />
        <div className="min-w-0 space-y-4">
          <ExplainTime asked={asked} />
          {data ? (
            <ExplainAnswer answer={data} asked={asked} />
          ) : error ? (
            <Panel title="Figure">
              <Failed error={error} what="The figure" />
            </Panel>
          ) : (
            <Waiting className="h-64 rounded-none" />
          )}
          {list && 'list' in list && <FigureRows asked={asked} list={list.list} />}
        </div>
      </div>
    </>
  );
}

function FigureList({ asked }: { asked: ExplainAddress }) {
  return (
    <nav aria-label="Figure" className="border border-line bg-sheet py-1">
      {(['gate', 'between', 'ledger'] as const).map((book) => (
        <div key={book} className="flex flex-wrap items-center lg:block">
          <p className="w-full px-3 pt-2 pb-1 text-xs font-semibold text-soft">{BOOKS[book]}</p>
          {FIGURE_NAMES.filter((name) => FIGURE_WORDS[name].book === book).map((name) => (
            <Link
              key={name}
              href={explainAddress({ ...asked, figure: name, row: undefined })}
              aria-current={asked.figure === name ? 'page' : undefined}
              className={join(
                'flex h-8 items-center px-3 text-sm text-soft hover:text-ink',
                asked.figure === name && 'bg-foam font-medium text-ink',
              )}
            >
              {FIGURE_WORDS[name].name}
            </Link>
          ))}
        </div>
      ))}
    </nav>
  );
}
