import { defineConfig } from '@playwright/test';

const FLAGS =
  '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';
const executablePath = process.env.CHROMIUM_PATH;

// Run by `npm test -- e2e`, which starts the product and says where it is and which browser to take.
export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.e2e.ts',
  workers: 1,
  retries: 0,
  timeout: 60_000,
  forbidOnly: process.env.CI !== undefined,
  outputDir: 'test-results',
  use: {
    ...(process.env.E2E_BASE_URL === undefined ? {} : { baseURL: process.env.E2E_BASE_URL }),
    browserName: 'chromium',
    launchOptions: { args: FLAGS.split(' '), ...(executablePath === undefined ? {} : { executablePath }) },
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
  },
});
