'use client';
import type { SeenFailure } from '../trpc/failure-of.ts';
import { TextField } from '../ui/text-field.tsx';

interface CouponFieldProps {
  readonly value: string;
  readonly onChange: (code: string) => void;
  readonly refusal: SeenFailure | undefined;
}

/** The discount is worked out by the server when the order is placed; the order's page shows it. */
export function CouponField({ value, onChange, refusal }: CouponFieldProps) {
  return (
    <TextField
      label="Coupon"
      hint="If you have one; your order then shows the lower total."
      name="coupon"
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      problem={refusal?.field === 'coupon' ? refusal.message : undefined}
    />
  );
}
