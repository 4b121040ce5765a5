import { testPausedGatekeeper } from './paused-gatekeeper.testing.ts';

testPausedGatekeeper({ seconds: 45, alone: true });
