import { testOutages } from './outages.testing.ts';

testOutages(60);
