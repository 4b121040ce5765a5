/** What dead letters of one cause have in common: consumer, type, and the reason without what differs from one to the next. */
const MOST = 300;

export function fingerprintOf(letter: {
  readonly consumer: string;
  readonly type: string;
  readonly reason: string;
}): string {
  const cause = letter.reason
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, '<id>')
    .replaceAll(/\d+/g, '<n>');
  return `${letter.consumer} ${letter.type} ${cause}`.slice(0, MOST).toWellFormed();
}
