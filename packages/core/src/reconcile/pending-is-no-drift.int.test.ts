import { testPendingIsNoDrift } from './pending-is-no-drift.testing.ts';

// The full half minute: npm run test:long.
testPendingIsNoDrift(8, 4000);
