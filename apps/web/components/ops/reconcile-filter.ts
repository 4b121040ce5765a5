/** The filter of the reconcile log. It lives in the address, so that a link shows the same entries. */
export const LOG_KINDS = ['RUN', 'FINDING', 'REPAIR'] as const;
export const LOG_FIELDS = ['shop', 'sku', 'cause', 'run', 'entry'] as const;

export type LogField = (typeof LOG_FIELDS)[number];
export interface LogFilter extends Readonly<Partial<Record<LogField, string>>> {
  readonly kind?: (typeof LOG_KINDS)[number] | undefined;
}

/** An unknown kind is no filter; the other fields are judged by the server. */
export function readLogFilter(given: { get(name: string): unknown }): LogFilter {
  const kind = LOG_KINDS.find((one) => one === given.get('kind'));
  const fields = LOG_FIELDS.flatMap((name) => {
    const text = given.get(name);
    return typeof text === 'string' && text.trim() !== '' ? [[name, text.trim()]] : [];
  });
  return { ...Object.fromEntries(fields), ...(kind && { kind }) };
}

export function logAddress(filter: LogFilter): string {
  const given = [...LOG_FIELDS, 'kind' as const].flatMap((name) => {
    const text = filter[name];
    return text ? [[name, text]] : [];
  });
  return `/ops/reconcile${given.length === 0 ? '' : `?${new URLSearchParams(given)}`}`;
}
