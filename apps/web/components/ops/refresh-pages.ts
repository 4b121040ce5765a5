/**
 * A list of several pages is read anew page by page, so it is read less often the longer it is: the server has the
 * same work whatever was opened.
 */
export function refreshPages(everyMs: number) {
  return ({ state }: { state: { data?: { pages: readonly unknown[] } | undefined } }): number =>
    everyMs * Math.max(1, state.data?.pages.length ?? 1);
}
