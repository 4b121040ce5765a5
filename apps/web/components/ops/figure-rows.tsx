'use client';
/** The rows behind one row of an explanation, newest first, page by page, from `ops.figureRows`. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTRPC } from '../trpc/client.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { Ago } from './ago.tsx';
import { signed } from './difference.tsx';
import type { ExplainAddress } from './explain-address.ts';
import { MoreButton } from './more-button.tsx';
import { Failed, Nothing, Panel } from './panel.tsx';
import { ShortId } from './short-id.tsx';
import type { BookRow, FigureRow } from './types.ts';

const ROWS_A_PAGE = 50;
type List = Extract<NonNullable<FigureRow['leadsTo']>, { list: unknown }>['list'];

export function FigureRows({ asked: { shopId, skuId, at }, list }: { asked: ExplainAddress; list: List }) {
  const trpc = useTRPC();
  const rows = useInfiniteQuery(
    trpc.ops.figureRows.infiniteQueryOptions(
      { shopId, skuId, list, ...(at && { at }), limit: ROWS_A_PAGE },
      { getNextPageParam: (page) => page.next ?? undefined },
    ),
  );
  const shown = rows.data?.pages.flatMap((page) => page.rows);
  return (
    <>
      <Panel title="Its rows, newest first">
        {shown ? (
          shown.length === 0 ? (
            <Nothing>None any more.</Nothing>
          ) : (
            <div className="overflow-x-auto">
              <table className="w-full min-w-[36rem] border-collapse text-sm">
                <tbody>
                  {shown.map((row) => (
                    <Row key={row.id} row={row} />
                  ))}
                </tbody>
              </table>
            </div>
          )
        ) : rows.error ? (
          <Failed error={rows.error} what="Its rows" />
        ) : (
          <Waiting className="h-40 rounded-none" />
        )}
      </Panel>
      <MoreButton of={rows}>Older ones</MoreButton>
    </>
  );
}

function Row({ row: { units, at, what, by, reason, reservationId, tradeId } }: { row: BookRow }) {
  return (
    <tr className="h-8 border-b border-line/70 last:border-b-0 hover:bg-foam [&>td]:px-3">
      <td className="w-24 text-xs text-soft">
        <Ago at={at} />
      </td>
      <td>{what.toLowerCase().replaceAll('_', ' ')}</td>
      <td>{reservationId && <ShortId id={reservationId} href={`/ops/reservations/${reservationId}`} />}</td>
      <td>{tradeId && <ShortId id={tradeId} href={`/ops/orders/${tradeId}`} />}</td>
      <td className="max-w-60 truncate text-xs text-soft">{[by, reason].filter(Boolean).join(': ')}</td>
      <td className="figures w-24 text-right">{units === 0 ? '0' : signed(units)}</td>
    </tr>
  );
}
