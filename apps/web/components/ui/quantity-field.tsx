'use client';
import { NumberField } from '@base-ui/react/number-field';
import { Minus, Plus } from 'lucide-react';

interface QuantityFieldProps {
  readonly value: number;
  readonly label: string;
  readonly onCommit: (units: number) => void;
  readonly disabled?: boolean;
  readonly tall?: boolean;
}

const STEP = 'flex w-10 items-center justify-center text-soft hover:bg-foam hover:text-ink data-disabled:opacity-40';

/** Units of a line, 1 to 9 999; commits when the field is left or a step is pressed. */
export function QuantityField({ value, label, onCommit, disabled = false, tall = false }: QuantityFieldProps) {
  return (
    <NumberField.Root
      value={value}
      onValueChange={(units) => units !== null && onCommit(Math.round(units))}
      min={1}
      max={9999}
      step={1}
      disabled={disabled}
      locale="en"
    >
      <NumberField.Group
        className={`flex ${tall ? 'h-12' : 'h-10'} w-max items-stretch overflow-hidden rounded-shop border border-line-strong bg-sheet`}
      >
        <NumberField.Decrement className={STEP} aria-label={`One fewer: ${label}`}>
          <Minus size={15} />
        </NumberField.Decrement>
        <NumberField.Input
          aria-label={`Quantity: ${label}`}
          className="figures w-11 border-x border-line bg-transparent text-center text-sm text-ink"
        />
        <NumberField.Increment className={STEP} aria-label={`One more: ${label}`}>
          <Plus size={15} />
        </NumberField.Increment>
      </NumberField.Group>
    </NumberField.Root>
  );
}
