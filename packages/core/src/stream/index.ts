/** Door of the stream: the only folder that knows kafkajs. */
export { connectKafka, type Stream } from './connect-kafka.ts';
export { type ConsumerHealth, type RunningConsumer, startConsumer } from './consumer.ts';
export type { ConsumerDefinition, ConsumerDeps, RefusedEvent } from './consumer-definition.ts';
export type { OpenIncident } from './dead-letter.ts';
export {
  createKafkaProbe,
  DEAD_LETTER_SUFFIX,
  ensureTopics,
  TOPICS,
  TopicMismatch,
} from './ensure-topics.ts';
export { partitionOf } from './partition-of.ts';
export {
  createProducer,
  MessageRefused,
  type OutgoingMessage,
  type Placed,
  type Producer,
} from './producer.ts';
