import { testBrokenSessions } from './broken-sessions.testing.ts';

// 10 s instead of 2 min, 20 orders a second instead of 50; npm run test:long runs the whole.
testBrokenSessions({ seconds: 10, ordersASecond: 20 });
