import { testOutages } from './outages.testing.ts';

// The full minute: npm run test:long.
testOutages(10);
