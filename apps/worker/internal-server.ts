/** The internal port, loopback only: /healthz (alive), /readyz (each dependency with its latency), /metrics. */
import { createServer, type Server } from 'node:http';
import { answerHealth, type DependencyCheck } from '@holdfast/core/ops';
import type { Log, Metrics } from '@holdfast/core/platform';

export function createInternalServer(checks: readonly DependencyCheck[], metrics: Metrics, log: Log): Server {
  return createServer((req, res) => {
    const answer = (status: number, type: string, body: string) =>
      res.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
    answerHealth(new URL(req.url ?? '/', 'http://localhost').pathname, checks, metrics.registry).then(
      (reply) => (reply ? answer(reply.status, reply.type, reply.body) : answer(404, 'text/plain', 'unknown path\n')),
      (error: unknown) => {
        log.error({ error }, 'the internal server failed to answer');
        answer(500, 'text/plain', 'failed\n');
      },
    );
  });
}
