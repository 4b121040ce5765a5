/** Door of the gate: the verbs, the gatekeeper, the one query of live holds. */
export { type Gatekeeper, type GatekeeperDeps, createGatekeeper } from './gatekeeper/gatekeeper.ts';
export type { GateDeps } from './gate-call.ts';
export { readEpoch, type GateEpoch, reportClosed } from './epoch.ts';
export { epochKey, type SkuRef, skuKeys } from './keys.ts';
export { type LiveHold, liveHolds } from './live-holds.ts';
export {
  createGate, type Gate, type GateCounters, type GateHold, type GateReading, type GateUnknown, type Hold, type HoldPage,
  type MoveOutcome, memberOf, type TakeOutcome,
} from './redis-gate.ts';
export { scriptsFor } from './scripts.ts';
