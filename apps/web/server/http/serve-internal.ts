/** The second server, loopback only: /healthz (alive), /readyz (each dependency with its latency), /metrics. */
import { createServer, type Server } from 'node:http';
import { answerHealth, checkGate, checkPostgres, checkRedis, type DependencyCheck } from '@holdfast/core/ops';
import type { WebDeps } from '../open-stores.ts';
import { replyJson } from './reply.ts';

export function createInternalServer(deps: WebDeps, isStopping: () => boolean): Server {
  const stillServing: DependencyCheck = {
    name: 'process',
    check: () => (isStopping() ? Promise.reject(new Error('stopping')) : Promise.resolve()),
  };
  const checks = [stillServing, checkPostgres(deps.readPool), checkRedis(deps.desk.redis), checkGate(deps.readPool)];
  return createServer((req, res) => {
    answerHealth(new URL(req.url ?? '/', 'http://localhost').pathname, checks, deps.metrics.registry).then(
      (reply) => {
        if (!reply) return replyJson(res, 404, { status: 'unknown path' });
        res.writeHead(reply.status, { 'content-type': reply.type, 'cache-control': 'no-store' }).end(reply.body);
      },
      (error: unknown) => {
        deps.log.error({ err: error }, 'the internal server failed to answer');
        replyJson(res, 500, { status: 'failed' });
      },
    );
  });
}
