/** How a button, or a link that looks like one, is drawn. */
import { cva } from 'class-variance-authority';

export const buttonLook = cva(
  'inline-flex select-none items-center justify-center gap-2 whitespace-nowrap font-medium transition-colors duration-150 ease-quiet disabled:opacity-55 data-disabled:opacity-55',
  {
    variants: {
      look: {
        primary: 'bg-kelp text-on-kelp hover:bg-kelp-deep',
        quiet: 'border border-line-strong bg-transparent text-ink hover:bg-foam',
        text: 'text-kelp underline decoration-kelp/35 decoration-1 underline-offset-4 hover:decoration-kelp',
        danger: 'border border-drift-down/50 text-drift-down hover:bg-drift-down-wash',
      },
      size: {
        shop: 'h-12 rounded-shop px-6 text-base',
        small: 'h-10 rounded-shop px-4 text-sm',
        console: 'h-8 rounded-panel px-3 text-sm',
        bare: 'h-auto p-0',
      },
    },
    defaultVariants: { look: 'primary', size: 'shop' },
  },
);
