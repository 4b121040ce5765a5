/**
 * A local server that answers as Stripe's API reference documents for PaymentIntents, charges and refunds: the same
 * paths, forms, idempotency keys, error bodies and signed events. It shows that our side speaks that protocol; what
 * Stripe itself does is not proven here.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { answerStub, type StubBooks, StubError } from './stripe-stub-books.testing.ts';

export interface StripeStub {
  readonly url: string;
  readonly books: StubBooks;
  /** The next calls are carried out, and their answers are lost. */
  loseReplies: number;
  /** The next calls are answered so, and not carried out. */
  answers: { status: number; body: string }[];
  readonly seen: { readonly path: string; readonly headers: IncomingMessage['headers'] }[];
  close(): void;
}

export function openStubBooks(): StubBooks {
  return { intents: new Map(), charges: [], refunds: new Map(), replies: new Map() };
}

export async function startStripeStub(secretKey: string, books = openStubBooks()): Promise<StripeStub> {
  const handle = async (req: IncomingMessage, res: ServerResponse) => {
    const form = new URLSearchParams(await text(req));
    const { pathname, searchParams } = new URL(req.url ?? '', 'http://stub');
    stub.seen.push({ path: pathname, headers: req.headers });
    const planned = stub.answers.shift();
    if (planned) return void res.writeHead(planned.status).end(planned.body);
    const key = req.headers['idempotency-key'];
    const request = { method: req.method ?? '', pathname, query: searchParams, form };
    const { status, body } = attempt(() => {
      if (req.headers.authorization !== `Bearer ${secretKey}`) throw new StubError(401, 'Invalid API Key provided');
      return answerStub(books, request, typeof key === 'string' ? key : undefined);
    });
    if (stub.loseReplies > 0) {
      stub.loseReplies -= 1;
      return void req.socket.destroy();
    }
    res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const server = createServer((req, res) => void handle(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stub: StripeStub = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    books,
    loseReplies: 0,
    answers: [],
    seen: [],
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return stub;
}

function attempt(work: () => object): { status: number; body: object } {
  try {
    return { status: 200, body: work() };
  } catch (error) {
    if (!(error instanceof StubError)) throw error;
    return {
      status: error.status,
      body: { error: { type: 'invalid_request_error', code: error.code, message: error.message } },
    };
  }
}
