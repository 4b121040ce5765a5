/** A consumer as data: what it reads, how it handles a set of events. Lists of these stand in apps/worker. */
import type { EventType, IncomingEvent } from '../domain/index.ts';
import type { Log, Metrics, Pool, StopAt, Tx, WakeTopic } from '../platform/index.ts';
import type { Stream } from './connect-kafka.ts';
import type { LetterReports } from './dead-letter.ts';

/** An event whose handler decided, in the transaction, that it can have no effect; it becomes a dead letter. */
export interface RefusedEvent {
  readonly eventId: string;
  readonly reason: string;
}

export interface ConsumerDefinition {
  /** Also the name in inbox and dead letters. */
  readonly name: string;
  /** Kafka group; default: the name. */
  readonly group?: string;
  readonly topic: string;
  readonly types: readonly EventType[];
  /**
   * One consumer of each topic answers for messages that nobody can read: unknown type or no type at all. The
   * others pass over them.
   */
  readonly answersForUnknown: boolean;
  /** Cuts a set into parts, one transaction each, in this order. Must keep the order of each key. Default: one part. */
  readonly plan?: (events: readonly IncomingEvent[]) => IncomingEvent[][];
  /** Effects and answers of these new events, all in `tx`. A throw means: none of it happened. */
  readonly handle: (tx: Tx, events: readonly IncomingEvent[]) => Promise<readonly RefusedEvent[]>;
  /**
   * Events that never wait behind a failing one of their key, because they end what that one began, and which of the
   * waiting ones each of them leaves without anything to do.
   */
  readonly passes?: {
    readonly types: readonly EventType[];
    readonly makesVoid: (event: IncomingEvent, waiting: IncomingEvent) => boolean;
  };
  /** Nobody waits for its effects: it may fetch less often and more at once. Default: at once. */
  readonly unhurried?: boolean;
  /** Whom to wake after a commit. */
  readonly wakes: readonly WakeTopic[];
}

export interface ConsumerDeps {
  readonly stream: Stream;
  readonly pool: Pool;
  readonly log: Log;
  readonly metrics?: Metrics;
  readonly letters: LetterReports;
  readonly wake: (topic: WakeTopic) => void;
  /** The consumer is gone for good: log and end the process. */
  readonly onFatal: (error: Error) => void;
  /** Waits of a failing message between its tries, and of the consumer while a server is away. */
  readonly retry: RetryPolicy;
  readonly stopAt?: StopAt;
}

export interface RetryPolicy {
  readonly maxAttempts: number;
  readonly initialMs: number;
  readonly multiplier: number;
  readonly maxMs: number;
}
