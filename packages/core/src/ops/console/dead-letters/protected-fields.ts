/**
 * What an edit of a message may not touch (P33): every id, the event's type and key, SKU, quantity, money. Pure. Fields
 * are compared by their path, so a line may neither be added nor go.
 */
const PROTECTED = /(^|[a-z])(Id|Ids|Minor)$|^(id|type|key|quantity|currency|short)$/;

/** Paths of protected fields that differ, are new or are gone. Empty: the edit may be made. */
export function changedProtected(before: unknown, after: unknown): string[] {
  const [old, next] = [leavesOf(before), leavesOf(after)];
  const paths = new Set([...old.keys(), ...next.keys()]);
  return [...paths].filter((path) => isProtected(path) && old.get(path) !== next.get(path)).sort();
}

function isProtected(path: string): boolean {
  return path.split('.').some((part) => PROTECTED.test(part));
}

function leavesOf(value: unknown, path = ''): Map<string, string> {
  if (typeof value !== 'object' || value === null) return new Map([[path, JSON.stringify(value) ?? 'undefined']]);
  return new Map(
    Object.entries(value).flatMap(([name, inner]) => [...leavesOf(inner, path === '' ? name : `${path}.${name}`)]),
  );
}
