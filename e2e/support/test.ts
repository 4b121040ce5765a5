/**
 * The test of every browser flow: fails when a page says something in its console that it should not (errors,
 * hydration warnings, violations of the content security policy), and asks the invariants when the flow is over.
 */
import { type BrowserContext, test as base, expect as plainExpect } from '@playwright/test';
import { expectBooksInOrder } from './books.ts';

/** Patience for a machine that runs the whole product beside the browser; nothing here measures time. */
const PATIENCE_MS = 20_000;
const FLOW_LIMIT_MS = 180_000;
export const expect = plainExpect.configure({ timeout: PATIENCE_MS });

/** The browser's own line about a refused call (503: the gate is closed); the page shows the refusal in words. */
const REFUSED_CALL = /^Failed to load resource: the server responded with a status of (4\d\d|503)/;

export interface Fixtures {
  /** A second browser: its own cookies, watched like the first. */
  readonly otherBrowser: BrowserContext;
  readonly watch: (context: BrowserContext) => void;
}

export const test = base.extend<Fixtures>({
  watch: [
    async ({ context }, use, info) => {
      info.setTimeout(FLOW_LIMIT_MS);
      const said: string[] = [];
      const watch = (watched: BrowserContext) => {
        watched.on('console', (message) => {
          const wrong = message.type() === 'error' || message.type() === 'warning';
          if (wrong && !REFUSED_CALL.test(message.text())) said.push(`${message.page()?.url()}: ${message.text()}`);
        });
        watched.on('weberror', (error) => said.push(`${error.page()?.url()}: ${error.error().message}`));
      };
      watch(context);
      await use(watch);
      expect(said, 'no page complains in its console').toEqual([]);
      await expectBooksInOrder();
    },
    { auto: true },
  ],
  otherBrowser: async ({ browser, watch, baseURL }, use) => {
    const other = await browser.newContext(baseURL === undefined ? {} : { baseURL });
    watch(other);
    await use(other);
    await other.close();
  },
});
