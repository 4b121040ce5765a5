/** The pages, rendered by Next; or none, for a process that serves the API alone and starts without a build. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { offerBridge } from './bridge.ts';
import { replyRefusal } from './http/reply.ts';
import type { WebDeps } from './open-stores.ts';

export interface Pages {
  render(req: IncomingMessage, res: ServerResponse): Promise<void>;
  close(): Promise<void>;
}

export async function openPages(deps: WebDeps, by: 'next' | 'none'): Promise<Pages> {
  if (by === 'none')
    return {
      render: async (_req, res) => replyRefusal(res, 404, 'NOT_FOUND', 'There are no pages here.'),
      close: async () => undefined,
    };
  const { default: next } = await import('next');
  const dir = join(import.meta.dirname, '..');
  const app = next({ dev: deps.dev, dir, hostname: 'localhost', port: deps.config.process.PORT, quiet: true });
  offerBridge(deps);
  await app.prepare();
  const handle = app.getRequestHandler();
  return { render: (req, res) => handle(req, res), close: () => app.close() };
}
