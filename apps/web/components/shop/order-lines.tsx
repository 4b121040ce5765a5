'use client';
import { useQuery } from '@tanstack/react-query';
import { Art } from '../art/art.tsx';
import { toneOf } from '../art/tones.ts';
import { useTRPC } from '../trpc/client.tsx';
import { Money } from '../ui/money.tsx';
import { StateChip } from '../ui/state-chip.tsx';
import { Parcel } from './parcel.tsx';
import type { Order, OrderLine } from './types.ts';

const WORDS: Record<OrderLine['reservationStatus'], string> = {
  PENDING: 'Held, being written down',
  PRE_DEDUCTED: 'Held for you',
  CONFIRMED: 'Yours',
  RELEASED: 'Back on the shelf',
  EXPIRED: 'Time ran out',
};

/** All units of the line have come back: they are the buyer's no more, whatever their sale was. */
function cameBack(order: Order, shopOrderId: string, { skuId, quantity }: OrderLine): boolean {
  const parcel = order.afterSale.parcels.find((one) => one.shopOrderId === shopOrderId);
  return (parcel?.lines.find((line) => line.skuId === skuId)?.returned ?? 0) >= quantity;
}

/** The lines by shop, each with the state of its own reservation. */
export function OrderLines({ order }: { order: Order }) {
  const trpc = useTRPC();
  const { data: shelves } = useQuery(trpc.catalogue.list.queryOptions({}, { staleTime: Number.POSITIVE_INFINITY }));
  const goods = shelves?.flatMap((shelf) =>
    shelf.products.flatMap((product) =>
      product.skus.map((sku) => ({
        shopId: product.shopId,
        skuId: sku.skuId,
        skuName: sku.name,
        art: product.art,
        name: product.name,
      })),
    ),
  );
  return (
    <div className="space-y-8">
      {order.shopOrders.map((shopOrder) => (
        <section key={shopOrder.id} className="space-y-1">
          <h2 className="border-b border-line pb-2 text-sm text-soft">From {shopOrder.shopName}</h2>
          <ul className="divide-y divide-line">
            {shopOrder.lines.map((line) => {
              const known = goods?.find((one) => one.shopId === shopOrder.shopId && one.skuId === line.skuId);
              const art = known?.art ?? '';
              return (
                <li key={line.skuId} className="grid grid-cols-[4rem_minmax(0,1fr)_auto] items-center gap-x-4 py-4">
                  <span
                    className={`wash tone-${toneOf(art, known?.skuName)} grid size-16 place-items-center rounded-shop`}
                  >
                    {known && <Art art={art} skuName={known.skuName} className="w-12" />}
                  </span>
                  <div className="min-w-0 space-y-1.5">
                    <p className="font-medium">{line.name}</p>
                    <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm text-soft">
                      <span className="figures">
                        {line.quantity} × <Money minor={line.unitPriceMinor} currency={order.currency} />
                      </span>
                      {cameBack(order, shopOrder.id, line) ? (
                        <StateChip state="REFUNDED" word="Given back" />
                      ) : (
                        <StateChip state={line.reservationStatus} word={WORDS[line.reservationStatus]} />
                      )}
                    </p>
                  </div>
                  <Money
                    minor={line.unitPriceMinor * line.quantity}
                    currency={order.currency}
                    className="font-medium"
                  />
                </li>
              );
            })}
          </ul>
          <Parcel order={order} shopOrderId={shopOrder.id} />
        </section>
      ))}
    </div>
  );
}
