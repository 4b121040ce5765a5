import Link from 'next/link';
import { Art } from '../art/art.tsx';
import { Money } from '../ui/money.tsx';
import { StockNote } from './stock-note.tsx';
import { addStock, type StockFigures, stockSentence } from './stock-sentence.ts';
import { toneOf } from '../art/tones.ts';
import { join } from '../ui/join.ts';
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
    <Link href={`/products/${product.productId}`} className="group flex flex-col gap-4 rounded-shop focus-visible:outline-offset-8">
      <div className={join('wash relative grid aspect-square place-items-center overflow-hidden rounded-shop', `tone-${toneOf(product.art, first?.name)}`)}>
        <Art art={product.art} skuName={first?.name} printed className={join('w-[68%] transition-transform duration-200 ease-quiet group-hover:-translate-y-1', gone && 'opacity-45 saturate-50')} />
        {product.skus.length > 1 && (
          <span className="absolute bottom-3 left-3 flex -space-x-1.5" aria-hidden="true">
            {product.skus.slice(0, 5).map((sku) => (
              <span key={sku.skuId} className={`tone-${toneOf(product.art, sku.name)} size-4 rounded-full border-2 border-paper bg-(--ta)`} />
            ))}
          </span>
        )}
      </div>
      <div className="space-y-1">
        <div className="flex items-baseline justify-between gap-3">
          <h3 className="display text-lg leading-snug decoration-kelp/50 decoration-1 underline-offset-4 group-hover:underline">{product.name}</h3>
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
