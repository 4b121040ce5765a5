/**
 * Headers of every answer. Scripts run by nonce only. Next reads the nonce from the request's own
 * content-security-policy header, so the policy is written there too (the client cannot choose it).
 * `style-src-attr` allows style attributes (measured positions of pop-ups); style elements need the nonce.
 */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface PageSecurity {
  /** True when the shop is served over https: insecure requests are upgraded and remembered. */
  readonly https: boolean;
  /** True under `next dev`, which needs eval and a web socket. */
  readonly dev: boolean;
}

function policy(nonce: string, { https, dev }: PageSecurity): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${dev ? " 'unsafe-eval'" : ''}`,
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${dev ? ' ws:' : ''}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(https ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}

/** Answers of calls are data: a page that tried to show one could load and run nothing. */
const CALL_POLICY = "default-src 'none'; frame-ancestors 'none'";

function isCall({ url = '' }: IncomingMessage): boolean {
  return url.startsWith('/api/');
}

export function setSecurityHeaders(req: IncomingMessage, res: ServerResponse, security: PageSecurity): void {
  const csp = isCall(req) ? CALL_POLICY : policy(randomBytes(16).toString('base64'), security);
  req.headers['content-security-policy'] = csp;
  res.setHeader('content-security-policy', csp);
  res.setHeader('x-content-type-options', 'nosniff');
  res.setHeader('x-frame-options', 'DENY');
  res.setHeader('referrer-policy', 'same-origin');
  res.setHeader('permissions-policy', 'camera=(), microphone=(), geolocation=(), payment=()');
  res.setHeader('cross-origin-opener-policy', 'same-origin');
  if (security.https) res.setHeader('strict-transport-security', 'max-age=31536000; includeSubDomains');
}
