import { testStopPoints } from './stop-points.testing.ts';

testStopPoints(
  [
    'relay.before-send',
    'relay.after-ack',
    'consumer.after-mark',
    'consumer.after-effect',
    'consumer.after-commit',
    'consumer.before-offset',
    'effects.before-gate',
  ],
  process.env.KAFKA_BROKERS,
);
