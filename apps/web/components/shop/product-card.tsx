import Link from 'next/link';
import { Art } from '../art/art.tsx';
import { toneOf } from '../art/tones.ts';
import { join } from '../ui/join.ts';
import { Money } from '../ui/money.tsx';
import { StockNote } from './stock-note.tsx';
import { addStock, type StockFigures, stockSentence } from './stock-sentence.ts';
import type { Product } from './types.ts';

interface ProductCardProps {
  readonly product: Product;
  readonly stockOf: (sku: { shopId: string; skuId: string }) => StockFigures | undefined;
}

export function ProductCard({ product, stockOf }: ProductCardProps) {
  const stock = addStock(product.skus.map((sku) => stockOf({ shopId: product.shopId, skuId: sku.skuId })));
  const prices = product.skus.map((sku) => sku.priceMinor);
  const lowest = Math.min(...prices);
  const first = product.skus[0];
  const gone = !stockSentence(stock).canBuy;
  return (
    <Link
      href={`/products/${product.productId}`}
      className="group flex flex-col gap-4 rounded-shop focus-visible:outline-offset-8"
    >
      <div
        className={join(
          'wash relative grid aspect-square place-items-center overflow-hidden rounded-shop',
          `tone-${toneOf(product.art, first?.name)}`,
        )}
      >
        <Art
          art={product.art}
          skuName={first?.name}
          printed
          className={join(
            'w-[68%] transition-transform duration-200 ease-quiet group-hover:-translate-y-1',
            gone && 'opacity-45 saturate-50',
          )}
        />
        <Variants product={product} />
      </div>
      <div className="space-y-1">
        <div className="flex items-baseline justify-between gap-3">
          <h3 className="display text-lg leading-snug decoration-kelp/50 decoration-1 underline-offset-4 group-hover:underline">
            {product.name}
          </h3>
          <span className="shrink-0 text-base text-ink">
            {prices.some((price) => price !== lowest) && <span className="text-sm text-soft">from </span>}
            <Money minor={lowest} currency={product.currency} />
          </span>
        </div>
        <StockNote stock={stock} />
      </div>
    </Link>
  );
}

/** What one can choose: colours as dots, anything else by its names. */
function Variants({ product }: { product: Product }) {
  const tones = new Set(product.skus.map((sku) => toneOf(product.art, sku.name)));
  if (product.skus.length < 2) return null;
  if (tones.size < 2)
    return (
      <span className="absolute bottom-3 left-3.5 text-xs font-medium tracking-wide text-soft">
        {product.skus.map((sku) => sku.name).join(' · ')}
      </span>
    );
  return (
    <span className="absolute bottom-3 left-3.5 flex gap-1.5" aria-hidden="true">
      {[...tones].map((tone) => (
        <span key={tone} className={`tone-${tone} size-3.5 rounded-full border border-ink/25 bg-(--ta)`} />
      ))}
    </span>
  );
}
