'use client';
import { Radio } from '@base-ui/react/radio';
import { RadioGroup } from '@base-ui/react/radio-group';
import { useId } from 'react';
import { Art } from '../art/art.tsx';
import { join } from '../ui/join.ts';
import { type StockFigures, stockSentence } from './stock-sentence.ts';
import type { Product } from './types.ts';

interface VariantPickerProps {
  readonly art: string;
  readonly skus: Product['skus'];
  readonly chosen: string;
  readonly onChoose: (skuId: string) => void;
  readonly stockOf: (skuId: string) => StockFigures | undefined;
}

export function VariantPicker({ art, skus, chosen, onChoose, stockOf }: VariantPickerProps) {
  const label = useId();
  return (
    <div className="space-y-3">
      <p id={label} className="text-sm font-medium">
        Choose one
      </p>
      <RadioGroup
        value={chosen}
        onValueChange={(value) => onChoose(String(value))}
        aria-labelledby={label}
        className="grid grid-cols-2 gap-3 lg:grid-cols-3"
      >
        {skus.map((sku) => {
          const gone = !stockSentence(stockOf(sku.skuId)).canBuy;
          return (
            <div
              key={sku.skuId}
              className={join(
                'relative flex cursor-pointer items-center gap-2 rounded-shop border bg-sheet px-2.5 py-2 text-sm transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-kelp',
                sku.skuId === chosen ? 'border-kelp ring-1 ring-kelp' : 'border-line hover:border-line-strong',
              )}
            >
              <Radio.Root
                value={sku.skuId}
                className="absolute inset-0 rounded-shop outline-none"
                aria-label={gone ? `${sku.name}, not available` : sku.name}
              />
              <Art art={art} skuName={sku.name} className={join('size-9 shrink-0', gone && 'opacity-40')} />
              <span className={join('min-w-0 leading-tight', gone && 'text-soft line-through decoration-line-strong')}>
                {sku.name}
              </span>
            </div>
          );
        })}
      </RadioGroup>
    </div>
  );
}
