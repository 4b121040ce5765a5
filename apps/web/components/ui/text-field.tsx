'use client';
import { Field } from '@base-ui/react/field';
import type { ComponentProps } from 'react';
import { join } from './join.ts';

interface TextFieldProps extends Omit<ComponentProps<typeof Field.Control>, 'className'> {
  readonly label: string;
  readonly hint?: string;
  /** What is wrong, said next to the field it is about. */
  readonly problem?: string | undefined;
  readonly className?: string;
  /** The console is denser than the shop. */
  readonly look?: keyof typeof LOOKS;
}

const LOOKS = {
  shop: 'h-12 rounded-shop px-3.5 text-base',
  console: 'h-8 rounded-panel px-2 text-sm',
} as const;

export function TextField({ label, hint, problem, name, className, look = 'shop', ...control }: TextFieldProps) {
  return (
    <Field.Root name={name} invalid={Boolean(problem)} className={join('flex flex-col gap-1.5', className)}>
      <Field.Label className="text-sm font-medium text-ink">{label}</Field.Label>
      <Field.Control
        {...control}
        className={join(
          'w-full border border-line-strong bg-sheet text-ink outline-offset-1 placeholder:text-soft/70 data-invalid:border-drift-down',
          LOOKS[look],
        )}
      />
      {hint && !problem && <Field.Description className="text-xs text-soft">{hint}</Field.Description>}
      <Field.Error match={Boolean(problem)} className="text-sm text-drift-down">
        {problem}
      </Field.Error>
    </Field.Root>
  );
}
