/** What the stub keeps, and how each documented call changes it. */
import { mint } from '../../../domain/index.ts';

export interface StubIntent {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  status: string;
  amount_received: number;
  latest_charge: string | null;
  metadata: Record<string, string>;
}
export interface StubCharge {
  readonly id: string;
  readonly payment_intent: string;
  readonly amount: number;
  readonly currency: string;
  readonly status: 'succeeded' | 'failed';
  readonly created: number;
  readonly metadata: Record<string, string>;
  amount_refunded: number;
}
export interface StubBooks {
  readonly intents: Map<string, StubIntent>;
  readonly charges: StubCharge[];
  readonly refunds: Map<string, { id: string; charge: string; amount: number; status: string }>;
  /** By idempotency key: the request that was made under it, and its answer. */
  readonly replies: Map<string, { request: string; body: object }>;
}
export interface StubRequest {
  readonly method: string;
  readonly pathname: string;
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
}

export class StubError extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, message: string, code = 'parameter_invalid') {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export function answerStub(books: StubBooks, request: StubRequest, key: string | undefined): object {
  if (key === undefined) return perform(books, request);
  const same = `${request.pathname}?${request.form}`;
  const known = books.replies.get(key);
  if (known && known.request !== same)
    throw new StubError(
      400,
      'Keys for idempotent requests can only be used with the same parameters',
      'idempotency_error',
    );
  if (known) return known.body;
  const body = perform(books, request);
  books.replies.set(key, { request: same, body });
  return body;
}

function perform(books: StubBooks, { method, pathname, query, form }: StubRequest): object {
  const [, , kind, id] = pathname.split('/');
  const post = method === 'POST';
  if (kind === 'payment_intents' && post && id === undefined) return showIntent(createIntent(books, form));
  if (kind === 'payment_intents' && id !== undefined) {
    const intent = find(books.intents, id, 'payment_intent');
    if (post) Object.assign(intent.metadata, metadataOf(form));
    return showIntent(intent);
  }
  if (kind === 'charges')
    return {
      object: 'list',
      has_more: false,
      url: '/v1/charges',
      data: books.charges.filter((c) => c.payment_intent === query.get('payment_intent')).map(showCharge),
    };
  if (kind === 'refunds' && post) return showRefund(createRefund(books, form));
  if (kind === 'refunds' && id !== undefined) return showRefund(find(books.refunds, id, 'refund'));
  throw new StubError(404, `Unrecognized request URL (${method}: ${pathname})`);
}

function createIntent(books: StubBooks, form: URLSearchParams): StubIntent {
  const amount = Number(form.get('amount'));
  if (!Number.isSafeInteger(amount) || amount < 1) throw new StubError(400, 'Invalid integer: amount');
  const intent: StubIntent = {
    id: `pi_${mint().replaceAll('-', '')}`,
    amount,
    currency: form.get('currency') ?? '',
    status: 'requires_payment_method',
    amount_received: 0,
    latest_charge: null,
    metadata: metadataOf(form),
  };
  books.intents.set(intent.id, intent);
  return intent;
}

function createRefund(books: StubBooks, form: URLSearchParams) {
  const intent = find(books.intents, form.get('payment_intent') ?? '', 'payment_intent');
  const charge = books.charges.find((one) => one.id === intent.latest_charge && one.status === 'succeeded');
  if (!charge) throw new StubError(400, 'This PaymentIntent does not have a successful charge to refund.');
  const amount = Number(form.get('amount'));
  if (amount > charge.amount - charge.amount_refunded)
    throw new StubError(400, 'Refund amount is greater than unrefunded amount on charge', 'amount_too_large');
  charge.amount_refunded += amount;
  const refund = { id: `re_${mint().replaceAll('-', '')}`, charge: charge.id, amount, status: 'succeeded' };
  books.refunds.set(refund.id, refund);
  return refund;
}

function find<T>(rows: ReadonlyMap<string, T>, id: string, what: string): T {
  const row = rows.get(id);
  if (!row) throw new StubError(404, `No such ${what}: '${id}'`, 'resource_missing');
  return row;
}

function metadataOf(form: URLSearchParams): Record<string, string> {
  return Object.fromEntries(
    [...form].flatMap(([name, value]) => {
      const key = /^metadata\[(\w+)\]$/.exec(name)?.[1];
      return key === undefined ? [] : [[key, value]];
    }),
  );
}

export function showIntent(intent: StubIntent): object {
  const fixed = { object: 'payment_intent', livemode: false, capture_method: 'automatic_async' };
  return { ...fixed, ...intent, metadata: { ...intent.metadata }, client_secret: `${intent.id}_secret_stub` };
}

export function showCharge(charge: StubCharge): object {
  const paid = charge.status === 'succeeded';
  return {
    ...{ object: 'charge', livemode: false, ...charge, paid, captured: paid },
    amount_captured: paid ? charge.amount : 0,
    refunded: paid && charge.amount_refunded === charge.amount,
  };
}

function showRefund(refund: object): object {
  return { object: 'refund', failure_reason: null, ...refund };
}
