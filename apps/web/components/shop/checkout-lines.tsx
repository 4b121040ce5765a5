import { Art } from '../art/art.tsx';
import { toneOf } from '../art/tones.ts';
import type { SeenFailure } from '../trpc/failure-of.ts';
import { Money } from '../ui/money.tsx';
import { shortLine } from './short-line.ts';
import type { Cart } from './types.ts';

/** The lines as the server prices them; a line that the gate refused says what is left, right where it stands. */
export function CheckoutLines({ cart, refusal }: { cart: Cart; refusal: SeenFailure | undefined }) {
  return (
    <ul className="space-y-4">
      {cart.lines
        .filter((line) => line.active)
        .map((line) => {
          const short = refusal?.lines.find(
            (one) => one.shopId === line.shopId && one.skuId === line.skuId && one.left < line.quantity,
          );
          return (
            <li
              key={`${line.shopId}/${line.skuId}`}
              className="grid grid-cols-[3rem_minmax(0,1fr)_auto] items-center gap-x-3 text-sm"
            >
              <span
                className={`wash tone-${toneOf(line.art, line.skuName)} grid size-12 place-items-center rounded-shop`}
              >
                <Art art={line.art} skuName={line.skuName} className="w-9" />
              </span>
              <span className="min-w-0">
                <span className="block truncate font-medium">{line.productName}</span>
                <span className="figures block text-soft">
                  {line.quantity}
                  {line.skuName && ` × ${line.skuName}`} at{' '}
                  <Money minor={line.unitPriceMinor} currency={line.currency} />
                </span>
                {short && (
                  <span role="status" className="block font-medium text-held">
                    {shortLine(refusal?.code ?? 'SOLD_OUT', short.left)}
                  </span>
                )}
              </span>
              <Money minor={line.unitPriceMinor * line.quantity} currency={line.currency} />
            </li>
          );
        })}
    </ul>
  );
}
