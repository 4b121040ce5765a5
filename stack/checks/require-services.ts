const NEEDED = ['DATABASE_URL', 'REDIS_URL', 'KAFKA_BROKERS', 'HOLDFAST_STACK_DIR'];

/** Vitest's global set-up of the integration tests: without servers they would fail one by one, each in its own way. */
export default function requireServices(): void {
  const missing = NEEDED.filter((name) => (process.env[name] ?? '') === '');
  if (missing.length === 0) return;
  throw new Error(
    `${missing.join(', ')} not set: integration tests need real servers. ` +
      'Run them by "npm test -- int [filter]", or "node stack/serve.ts vitest run --project int [filter]".',
  );
}
