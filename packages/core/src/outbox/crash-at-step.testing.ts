/**
 * A relay process that kills itself. Arguments: database URL, brokers, then `after-ack`, or a number: the edges of its
 * steps are counted, before and after each call of database and broker, and it dies at that one. It ends by itself
 * when it has fewer.
 */
import { createPool, silentLog } from '../platform/index.ts';
import { createProducer } from '../stream/index.ts';
import { connectTestKafka } from '../stream/topic-reader.testing.ts';
import { relayOnce } from './index.ts';

const [url = '', brokers = '', at = ''] = process.argv.slice(2);
const pool = createPool({ url, name: 'crashing relay', max: 2 });
const producer = createProducer(connectTestKafka(brokers));

function die(): Promise<never> {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
}
let edges = 0;
async function edge(): Promise<void> {
  if (edges++ === Number(at)) await die();
}
const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>;
Object.assign(pool, {
  async query(...args: unknown[]) {
    await edge();
    const result = await query(...args);
    await edge();
    return result;
  },
});
await relayOnce({
  pool,
  producer: {
    ...producer,
    async send(messages) {
      await edge();
      const placed = await producer.send(messages);
      if (at === 'after-ack') await die();
      await edge();
      return placed;
    },
  },
  log: silentLog,
  holder: 'crashing',
  batchSize: 5000,
  leaseMs: 50,
});
await producer.close();
await pool.end();
