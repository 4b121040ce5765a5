/** The button of a form: off with the sentence that says why. */
import { Button } from '../ui/button.tsx';

interface SendButtonProps {
  readonly children: string;
  readonly busy: boolean;
  /** Why the form cannot be sent; undefined when it can. */
  readonly why: string | undefined;
}

export function SendButton({ children, busy, why }: SendButtonProps) {
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1 sm:col-span-2">
      <Button type="submit" size="console" disabled={why !== undefined || busy}>
        {children}
      </Button>
      {why && <span className="text-xs text-soft">{why}</span>}
    </span>
  );
}
