'use client';
import { Button as BaseButton } from '@base-ui/react/button';
import type { VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';
import { buttonLook } from './button-look.ts';
import { join } from './join.ts';

export type ButtonProps = ComponentProps<typeof BaseButton> & VariantProps<typeof buttonLook>;

export function Button({ look, size, className, ...rest }: ButtonProps) {
  return (
    <BaseButton
      {...rest}
      className={join(buttonLook({ look, size }), typeof className === 'string' ? className : undefined)}
    />
  );
}
