/**
 * Writes .env.example and docs/configuration.md from the configuration's own schemas (`node
 * stack/write-config-docs.ts`); a test fails while the files differ from what is rendered here.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { CONFIG_SECTIONS } from '../packages/core/src/platform/config-sections.ts';

const ROOT = join(import.meta.dirname, '..');
const DURATION = 'PT';
const TIME_OF_DAY = ':[0-5]';

interface Variable {
  readonly name: string;
  readonly meaning: string;
  readonly values: string;
  /** Undefined when the variable has to be given. */
  readonly fallback: string | undefined;
  readonly required: boolean;
}

const property = z.object({
  description: z.string(),
  type: z.string(),
  default: z.union([z.string(), z.number()]).optional(),
  enum: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: z.number().optional(),
  pattern: z.string().optional(),
  format: z.string().optional(),
});
const section = z.object({
  properties: z.record(z.string(), property),
  required: z.array(z.string()).default([]),
});

/** What each rendered file should hold, by its path from the root. */
export function renderConfigDocs(): Record<string, string> {
  return { '.env.example': renderEnvExample(), 'docs/configuration.md': renderPage() };
}

function readVariables(schema: z.ZodType): Variable[] {
  const { properties, required } = section.parse(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
  return Object.entries(properties).map(([name, of]) => ({
    name,
    meaning: of.description,
    values: valuesOf(of),
    fallback: of.default?.toString(),
    required: required.includes(name),
  }));
}

function valuesOf(of: z.output<typeof property>): string {
  if (of.enum) return of.enum.join(', ');
  if (of.minimum !== undefined)
    return `${of.type === 'integer' ? 'whole number' : 'number'}, ${of.minimum} to ${of.maximum}`;
  if (of.pattern?.includes(DURATION)) return 'duration such as PT10M, or milliseconds';
  if (of.pattern?.includes(TIME_OF_DAY)) return 'time of day such as 03:00';
  if (of.format === 'uri') return 'URL';
  return of.minLength && of.minLength > 1 ? `text, at least ${of.minLength} characters` : 'text';
}

function renderEnvExample(): string {
  const blocks = Object.entries(CONFIG_SECTIONS).map(([name, schema]) => {
    const lines = readVariables(schema).map(
      (v) => `# ${v.meaning} (${v.values})\n${v.required ? '' : '# '}${v.name}=${v.fallback ?? ''}`,
    );
    return `# ---- ${name}\n\n${lines.join('\n\n')}\n`;
  });
  return `# Written by stack/write-config-docs.ts; change packages/core/src/platform/config-sections.ts instead.
# A line without "#" must be set; the others show their default.

${blocks.join('\n')}`;
}

function renderPage(): string {
  const tables = Object.entries(CONFIG_SECTIONS).map(([name, schema]) => {
    const rows = readVariables(schema).map(
      (v) =>
        `| \`${v.name}\` | ${v.fallback === undefined ? (v.required ? 'must be set' : 'none') : `\`${v.fallback}\``} | ${v.values} | ${v.meaning} |`,
    );
    return `## ${name}\n\n| variable | default | values | meaning |\n|---|---|---|---|\n${rows.join('\n')}\n`;
  });
  return `# Configuration

Written by \`stack/write-config-docs.ts\` from the schemas in \`packages/core/src/platform/config-sections.ts\`.

Each process reads its environment once, when it starts. A missing, malformed or weak value stops it with the
variable's name; nothing falls back in silence. \`npm run demo\` and \`npm test\` set all of this by themselves.

${tables.join('\n')}`;
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(renderConfigDocs())) writeFileSync(join(ROOT, path), text);
  console.log('configuration: wrote .env.example and docs/configuration.md');
}
