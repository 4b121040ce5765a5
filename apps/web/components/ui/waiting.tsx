import { join } from './join.ts';

/** A shape of what is coming; never a spinner for ever. */
export function Waiting({ className }: { className?: string }) {
  return <div aria-hidden="true" className={join('waiting rounded-shop', className)} />;
}
