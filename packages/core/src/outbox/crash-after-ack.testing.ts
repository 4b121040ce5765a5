/** A relay process that is killed when the broker has acknowledged and nothing is marked yet. Arguments: database URL, brokers. */
import { createPool, silentLog } from '../platform/index.ts';
import { createProducer } from '../stream/index.ts';
import { connectTestKafka } from '../stream/topic-reader.testing.ts';
import { relayOnce } from './index.ts';

const [url = '', brokers = ''] = process.argv.slice(2);
const pool = createPool({ url, name: 'crashing relay', max: 2 });
const producer = createProducer(connectTestKafka(brokers));
await relayOnce({
  pool,
  producer: {
    ...producer,
    async send(messages) {
      await producer.send(messages);
      process.kill(process.pid, 'SIGKILL');
      return new Promise(() => undefined);
    },
  },
  log: silentLog,
  holder: 'crashing',
  batchSize: 5000,
  leaseMs: 50,
});
