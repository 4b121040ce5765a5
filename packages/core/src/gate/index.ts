/** Door of the gate: the verbs, the gatekeeper, the one query of live holds. */

export { type GateEpoch, readEpoch, reportClosed } from './epoch.ts';
export type { GateDeps } from './gate-call.ts';
export { type AskedRebuild, askForRebuild, type RebuildWish } from './gatekeeper/ask-for-rebuild.ts';
export { createGatekeeper, type Gatekeeper, type GatekeeperDeps } from './gatekeeper/gatekeeper.ts';
export { epochKey, type SkuRef, skuKeys } from './keys.ts';
export { type LiveHold, liveHolds } from './live-holds.ts';
export type { GateReading, GateUnknown, HoldPage } from './read-gate.ts';
export { createGate, type Gate, type Hold, type MoveOutcome, memberOf, type TakeOutcome } from './redis-gate.ts';
export type { GateCounters, GateHold } from './replies.ts';
export { scriptsFor } from './scripts.ts';
