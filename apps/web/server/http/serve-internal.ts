/** The second server, loopback only: /healthz (alive), /readyz (each dependency with its latency), /metrics. */
import { createServer, type Server } from 'node:http';
import { checkDependencies } from '@holdfast/core/ops';
import type { WebDeps } from '../open-stores.ts';
import { replyJson } from './reply.ts';

export function createInternalServer(deps: WebDeps, isStopping: () => boolean): Server {
  return createServer((req, res) => {
    answer().catch((error: unknown) => {
      deps.log.error({ err: error }, 'the internal server failed to answer');
      replyJson(res, 500, { ok: false });
    });

    async function answer(): Promise<void> {
      if (req.url === '/healthz') return replyJson(res, 200, { ok: true });
      if (req.url === '/readyz') {
        const report = await checkDependencies(deps.dependencies);
        const ready = report.ready && !isStopping();
        return replyJson(res, ready ? 200 : 503, { ...report, ready, stopping: isStopping() });
      }
      if (req.url === '/metrics') {
        res.writeHead(200, { 'content-type': deps.metrics.registry.contentType });
        res.end(await deps.metrics.registry.metrics());
        return;
      }
      return replyJson(res, 404, { ok: false });
    }
  });
}
