/**
 * Configuration: the one place that reads process.env. Each owner has a schema in config-sections.ts; they are
 * parsed once when a process starts, and a wrong or weak value is refused with the variable's name.
 */
import type { z } from 'zod';
import { CONFIG_SECTIONS, type Config } from './config-sections.ts';

export type { Config } from './config-sections.ts';

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Parses the environment into the typed configuration.
 * @throws ConfigError naming every variable that is missing, malformed or too weak.
 */
export function loadConfig(env: Record<string, string | undefined> = process.env): Config {
  const problems: string[] = [];
  const parsed: Record<string, unknown> = {};
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  for (const [section, schema] of Object.entries<z.ZodType>(CONFIG_SECTIONS)) {
    const result = schema.safeParse(given);
    if (result.success) parsed[section] = result.data;
    else problems.push(...result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`));
  }
  if (problems.length > 0) throw new ConfigError(`configuration refused:\n  ${problems.join('\n  ')}`);
  const config = parsed as Config;
  refuseWeakSecrets(config);
  refuseHalfAProvider(config);
  return config;
}

function refuseWeakSecrets(config: Config): void {
  if (config.process.HOLDFAST_PROFILE !== 'production') return;
  for (const [name, value] of Object.entries(config.secrets))
    if (value?.startsWith('demo-'))
      throw new ConfigError(`configuration refused:\n  ${name}: a demo secret in production`);
}

/** The demo provider takes no money: a shop that sells by it would give its goods away. */
function refuseHalfAProvider({ payment, process: { HOLDFAST_PROFILE } }: Config): void {
  if (payment.PAYMENT_PROVIDER === 'demo' && HOLDFAST_PROFILE === 'production')
    throw new ConfigError('configuration refused:\n  PAYMENT_PROVIDER: the demo provider in production');
  if (payment.PAYMENT_PROVIDER !== 'stripe') return;
  for (const name of ['STRIPE_SECRET_KEY', 'STRIPE_PAY_PAGE_URL'] as const)
    if (payment[name] === undefined)
      throw new ConfigError(`configuration refused:\n  ${name}: needed with PAYMENT_PROVIDER=stripe`);
}
