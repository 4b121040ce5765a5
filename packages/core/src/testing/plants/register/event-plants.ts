/** Faults on the way of an event: outbox, relay, consumer. */
import type { Plant } from '../plant.ts';

const RELAY_TEST = 'outbox/relay.int.test.ts';

export const EVENT_PLANTS: readonly Plant[] = [
  {
    name: 'mark-before-produce',
    rule: 'P32',
    sentence: 'The relay marks events as sent before it sends them.',
    place: {
      file: 'packages/core/src/outbox/relay.ts',
      edits: [
        {
          find: 'const { sent, unsendable, failure } = await publishBatch(deps.producer, batch);',
          replace: `await markSent(deps.pool, tenure.holder, batch.map(({ id }) => ({ id, partition: 0, offset: 0 })));
            const { sent, unsendable, failure } = await publishBatch(deps.producer, batch);`,
        },
      ],
    },
    caughtBy: { file: RELAY_TEST, title: 'A broker that is away parks nothing and loses nothing' },
  },
  {
    name: 'relay-after-last-seen',
    rule: 'P32',
    sentence: 'The relay looks only at ids above the last one that it sent.',
    place: {
      file: 'packages/core/src/outbox/claim-batch.ts',
      edits: [
        {
          find: 'AND p.id <> ALL ($3::bigint[])',
          replace:
            'AND p.id <> ALL ($3::bigint[]) AND p.id > coalesce((SELECT max(s.id) FROM tinystore_order.outbox_sent s), 0)',
        },
      ],
    },
    caughtBy: { file: RELAY_TEST, title: 'C31 – An event is sent although one with a greater id' },
  },
  {
    name: 'offset-before-commit',
    rule: 'P33',
    sentence: 'A consumer commits its offset before what it has read is handled.',
    place: {
      file: 'packages/core/src/stream/consume-stretches.ts',
      edits: [
        {
          find: '  if (origins.length > 0) {\n',
          replace: `  await first.payload.commitOffsetsIfNecessary({ topics: [{ topic: first.topic,
            partitions: stretches.map((s) => ({ partition: s.partition, offset: (BigInt(s.lastOffset) + 1n).toString() })) }] });
  if (origins.length > 0) {\n`,
        },
      ],
    },
    caughtBy: {
      file: 'stream/handled-first.int.test.ts',
      title: 'C38 – The broker hears that an event is done',
    },
  },
  {
    name: 'inbox-outside-transaction',
    rule: 'P32',
    sentence: 'An event is marked as handled although its effect was rolled back.',
    place: {
      file: 'packages/core/src/stream/handle-once.ts',
      edits: [{ find: 'await markNew(tx, definition, read);', replace: 'await markNew(deps.pool, definition, read);' }],
    },
    caughtBy: { file: 'stream/handled-first.int.test.ts', title: 'C38 – An event whose effect was taken back' },
  },
  {
    name: 'marks-without-lease',
    rule: 'P32',
    sentence: 'A relay that was paused marks what its successor is sending.',
    place: {
      file: 'packages/core/src/outbox/mark-sent.ts',
      edits: [
        {
          // biome-ignore lint/suspicious/noTemplateCurlyInString: text of a source
          find: "p.status = 'PENDING' AND ${IS_HOLDER}\n    RETURNING",
          replace: "p.status = 'PENDING' AND $1::text IS NOT NULL\n    RETURNING",
        },
      ],
    },
    caughtBy: { file: 'outbox/displaced-relay.int.test.ts', title: 'P32 – A relay that has lost its lease' },
  },
  {
    name: 'key-goes-on-behind-parked',
    rule: 'P32',
    sentence: 'Later events of a key overtake the one that cannot be sent.',
    place: {
      file: 'packages/core/src/outbox/publish-batch.ts',
      edits: [
        { find: 'if (stopped.has(lane(event))) continue;', replace: '' },
        { find: 'stopped.size === 0 ? next : next.filter((item) => !stopped.has(lane(item.event)))', replace: 'next' },
      ],
    },
    caughtBy: { file: 'outbox/park-and-prune.int.test.ts', title: 'C41 – An event that cannot be sent is parked' },
  },
  {
    name: 'outage-is-fault-of-message',
    rule: 'P33',
    sentence: 'While a server is away messages become dead letters.',
    place: {
      file: 'packages/core/src/stream/judge-error.ts',
      edits: [{ find: "return kind === 'outage' ||", replace: 'return false &&' }],
    },
    caughtBy: { file: 'stream/failing-messages.int.test.ts', title: 'C45 – An outage (57P01)' },
  },
];
