/** Door of the outbox: events are appended in the transaction of their cause and sent by the relay. */
export { append, type NewEvent } from './append.ts';
export { type ClaimedEvent, RELAY_LEASE } from './claim-batch.ts';
export { lockParkingOf } from './mark-sent.ts';
export { pruneOutbox } from './prune.ts';
export { RELAY_LEASE_MS, type RelayDeps, relayOnce } from './relay.ts';
export { createRelayLoop, type RelayLoop } from './relay-loop.ts';
