/** The gate as a reconcile run found it, in a few words. A figure that the log does not have is not shown. */
const NAMES = { total: 'T', deducted: 'D', holds: 'holds' } as const;

export function sayBefore(before: Readonly<Record<string, unknown>>): string {
  if ('unknown' in before) return 'not known';
  const figures = Object.entries(NAMES).flatMap(([field, name]) => {
    const value = before[field];
    return typeof value === 'number' ? [`${name} ${value}`] : [];
  });
  return figures.length === 0 ? '–' : figures.join(' · ');
}
