/** At full length in paused-gatekeeper.long.test.ts; here it comes back as soon as the shop sells again. */
import { testPausedGatekeeper } from './paused-gatekeeper.testing.ts';

testPausedGatekeeper({ seconds: 0, alone: false });
