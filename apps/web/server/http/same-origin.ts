/**
 * Same-origin check of everything that changes something. A browser always sends Origin or Sec-Fetch-Site with
 * a POST; a caller that sends neither is no browser and carries no stranger's cookie, so it may pass.
 */
import type { IncomingMessage } from 'node:http';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

export function changesNothing(method: string | undefined): boolean {
  return SAFE.has(method ?? 'GET');
}

export function isSameOrigin(req: Pick<IncomingMessage, 'headers'>, publicOrigin: string): boolean {
  const site = req.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  const origin = req.headers.origin;
  return origin === undefined || origin === publicOrigin;
}
