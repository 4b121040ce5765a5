import { testComesBack } from './consumer-comes-back.testing.ts';

testComesBack({
  brokers: process.env.KAFKA_BROKERS,
  stackDir: process.env.HOLDFAST_STACK_DIR,
  restarts: 10,
});
