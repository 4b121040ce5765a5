/** The end of an integration test: nothing of its database is under way, nothing is broken, and it is gone. */
import type { TestDatabase } from './database.ts';
import { deliverEvents } from './deliver-events.ts';
import { findBroken, type Violation } from './invariants.ts';

/** @param mayBreak the test has planted damage: only removes the database */
export async function closeChecked(database: TestDatabase, mayBreak: boolean): Promise<void> {
  let broken: Violation[] = [];
  try {
    if (!mayBreak) {
      await deliverEvents(database.pool);
      broken = await findBroken(database.pool);
    }
  } finally {
    await database.drop();
  }
  if (broken.length > 0) throw new Error(`invariants broken: ${JSON.stringify(broken, null, 1)}`);
}
