/** Door of the stream: the only folder that knows kafkajs. */
export { connectKafka, type Stream } from './connect-kafka.ts';
export { type ConsumerHealth, type RunningConsumer, startConsumer } from './consumer.ts';
export type { ConsumerDefinition, ConsumerDeps, RefusedEvent, RetryPolicy } from './consumer-definition.ts';
export type { KeptLetter, LetterReports } from './dead-letter.ts';
export { endLetter } from './end-letter.ts';
export {
  createKafkaProbe,
  ensureTopics,
  TOPICS,
  TopicMismatch,
} from './ensure-topics.ts';
export { lockFailingKeys } from './failing-key.ts';
export { handleSlice } from './handle-slice.ts';
export { readLetter } from './open-letter.ts';
export { partitionOf } from './partition-of.ts';
export {
  createProducer,
  MessageRefused,
  type OutgoingMessage,
  type Placed,
  type Producer,
} from './producer.ts';
export type { Origin } from './read-message.ts';
export { type Positions, type Reader, readPositions } from './read-positions.ts';
export { type RetrySummary, retryLetters } from './retry-letters.ts';
export type { LetterDeps } from './try-letter.ts';
