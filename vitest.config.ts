import { configDefaults, defineConfig } from 'vitest/config';

const exclude = [...configDefaults.exclude, '**/.next/**', '**/.stack/**'];

// The suffix says what a test costs: `.test.ts` is pure, `.int.test.ts` talks to real Redis, PostgreSQL and Kafka.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['**/*.test.ts', '**/*.test.tsx'],
          exclude: [...exclude, '**/*.int.test.ts', '**/*.long.test.ts'],
          // Some read every source; a busy machine needs its time for that.
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'int',
          include: ['**/*.int.test.ts'],
          exclude,
          // One file at a time in one process: tests stop and kill servers that the others would be using.
          pool: 'forks',
          maxWorkers: 1,
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          globalSetup: ['stack/checks/require-services.ts'],
        },
      },
      {
        // The full length of what `int` runs scaled down.
        test: {
          name: 'long',
          include: ['**/*.long.test.ts'],
          exclude,
          pool: 'forks',
          maxWorkers: 1,
          fileParallelism: false,
          hookTimeout: 120_000,
          globalSetup: ['stack/checks/require-services.ts'],
        },
      },
    ],
  },
});
