import { Button } from '../ui/button.tsx';

interface MoreButtonProps {
  /** The infinite query of the list above. */
  readonly of: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage(): Promise<unknown> };
  readonly children: string;
}

/** Goes on with a list; not there when the list has ended. */
export function MoreButton({ of: list, children }: MoreButtonProps) {
  if (!list.hasNextPage) return null;
  return (
    <Button
      look="quiet"
      size="console"
      className="mt-3"
      disabled={list.isFetchingNextPage}
      onClick={() => void list.fetchNextPage()}
    >
      {children}
    </Button>
  );
}
