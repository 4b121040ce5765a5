import { testStopPoints } from './stop-points.testing.ts';

// Each killed member holds its group up for its session time; all points: npm run test:long.
testStopPoints(
  ['relay.after-ack', 'consumer.after-effect', 'consumer.after-commit', 'effects.before-gate'],
  process.env.KAFKA_BROKERS,
);
