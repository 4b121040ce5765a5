/**
 * Signature of a payment notice: header `t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">`, with as many v1 as
 * there are secrets in rotation. Compared in constant time over the raw bytes, before anything is parsed.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

export const SIGNATURE_TOLERANCE_SECONDS = 300;
/** More candidates than any rotation needs are not worth hashing. */
const MAX_CANDIDATES = 8;

function digest(secret: string, unixSeconds: string, rawBody: Buffer): Buffer {
  return createHmac('sha256', secret).update(`${unixSeconds}.`).update(rawBody).digest();
}

export function signNotice(rawBody: Buffer, secrets: readonly string[], unixSeconds: number): string {
  const parts = secrets.map((secret) => `v1=${digest(secret, String(unixSeconds), rawBody).toString('hex')}`);
  return [`t=${unixSeconds}`, ...parts].join(',');
}

/**
 * True when one v1 of the header is the body's signature under one of the secrets and its time is within 300 s
 * of `nowSeconds`, in either direction.
 */
export function isSignedNotice(
  rawBody: Buffer,
  header: string | undefined,
  secrets: readonly string[],
  nowSeconds: number,
): boolean {
  const signature = parseHeader(header);
  if (!signature || Math.abs(nowSeconds - Number(signature.time)) > SIGNATURE_TOLERANCE_SECONDS) return false;
  const wanted = secrets.map((secret) => digest(secret, signature.time, rawBody));
  // Every pair is compared, so the time taken tells nothing about which one fitted.
  let fits = 0;
  for (const candidate of signature.candidates)
    for (const digestWanted of wanted) fits += timingSafeEqual(candidate, digestWanted) ? 1 : 0;
  return fits > 0;
}

function parseHeader(header: string | undefined): { time: string; candidates: Buffer[] } | undefined {
  const parts = (header ?? '').split(',').map((part) => part.trim());
  const times = parts.filter((part) => /^t=\d{1,12}$/.test(part));
  const candidates = parts.filter((part) => /^v1=[0-9a-f]{64}$/.test(part));
  const [time] = times;
  if (time === undefined || times.length > 1 || candidates.length === 0 || candidates.length > MAX_CANDIDATES)
    return undefined;
  return { time: time.slice(2), candidates: candidates.map((part) => Buffer.from(part.slice(3), 'hex')) };
}
