import { testBrokenSessions } from './broken-sessions.testing.ts';

testBrokenSessions({ seconds: 120, ordersASecond: 50 });
