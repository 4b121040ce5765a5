import { testPendingIsNoDrift } from './pending-is-no-drift.testing.ts';

testPendingIsNoDrift(30, 10_000);
