/** A shop's webhook on a real port, for tests in which a provider delivers its own notices. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type ReceiveNoticeDeps, receiveNotice } from './receive-notice.ts';

export interface WebhookServer {
  readonly url: string;
  /** While closed it answers 503 and stores nothing. */
  open: boolean;
  close(): void;
}

export async function startWebhook(deps: () => ReceiveNoticeDeps): Promise<WebhookServer> {
  const server = createServer(async (req, res) => {
    const rawBody = await buffer(req);
    if (!webhook.open) return void res.writeHead(503).end();
    const header = req.headers[deps().provider.signatureHeader];
    const receipt = await receiveNotice(deps(), {
      rawBody,
      signature: typeof header === 'string' ? header : undefined,
    });
    res.writeHead(receipt.kind === 'stored' ? 200 : 400).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const webhook = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    open: true,
    close: () => void server.close(),
  };
  return webhook;
}
