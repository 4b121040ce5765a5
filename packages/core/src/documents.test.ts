/** The tables of the design name what the code has: nothing more, nothing less, and what is to come is said to come. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { JOBS } from '../../../apps/worker/jobs/register.ts';
import { EVENT_SCHEMAS } from './domain/events.ts';
import { FAILURES } from './domain/failures.ts';
import { INCIDENT_KINDS } from './ops/incident-kinds.ts';
import { CONFIG_SECTIONS } from './platform/config-sections.ts';
import { ROOT } from './testing/read-sources.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const design = read('docs/design.md');

/** One chapter, without the paragraph of what is to come; `until` ends it earlier. */
function chapter(title: string, until = '\n## '): { text: string; toCome: string } {
  const [, after = ''] = design.split(`\n## ${title}\n`);
  const [whole = ''] = after.split(until);
  const toCome = [...whole.matchAll(/\*To come:\*.*?(?=\n\n|$)/gs)].map(([text]) => text).join('\n');
  return { text: whole.replace(toCome, ''), toCome };
}

const all = (text: string, pattern: RegExp) => new Set([...text.matchAll(pattern)].map(([, name]) => name ?? ''));

/** Names that stand in the text and are not said to come. */
function built({ text, toCome }: { text: string; toCome: string }, pattern: RegExp): string[] {
  const later = all(toCome, pattern);
  return [...all(text, pattern)].filter((name) => !later.has(name)).sort();
}

test('Section 4 names every table', () => {
  const schema = readdirSync(join(ROOT, 'prisma/schema')).map((file) => read(`prisma/schema/${file}`));
  const models = schema.flatMap((text) => [...text.matchAll(/@@map\("(\w+)"\)\n {2}@@schema\("(\w+)"\)/g)]);
  const tables = models.filter(([, , owner]) => owner?.startsWith('tinystore_')).map(([, table]) => table);
  const rows = chapter('4. Data', 'Details that matter elsewhere');
  const ofShop = {
    ...rows,
    text: rows.text.replace(/^\| `ops`.*$/m, '').replaceAll(/`(tinystore_\w+|demo_provider)`/g, ''),
  };
  expect(built(ofShop, /`([a-z_]+)`/g)).toEqual(tables.sort());
});

test('Section 7 names every event', () => {
  const table = chapter('7. Outbox and stream', '- Events are written');
  expect(built(table, /\b([A-Z]+(?:_[A-Z]+)+)\b/g)).toEqual(Object.keys(EVENT_SCHEMAS).sort());
});

test('Section 10 has a row for every job', () => {
  const { text, toCome } = chapter('10. Jobs');
  const ids = [...all(text, /^\| `([a-z.-]+)` \|/gm)].filter((id) => !toCome.includes(`\`${id}\``));
  expect(ids.sort()).toEqual(JOBS.map((job) => job.id).sort());
});

test('Section 13 names every refusal', () => {
  const list = chapter('13. Failures', 'Inside only');
  expect(built(list, /\b([A-Z]{4,}(?:_[A-Z]+)*|NOT_FOUND)\b/g)).toEqual(Object.keys(FAILURES).sort());
});

test('Section 14 names parameters that exist', () => {
  const names = all(chapter('14. Configuration').text, /^\| `([a-z.-]+)` \|/gm);
  const variables = Object.values(CONFIG_SECTIONS).flatMap((section) => Object.keys(section.shape));
  expect(names.size).toBeGreaterThan(20);
  expect([...names].map((name) => name.toUpperCase().replaceAll(/[.-]/g, '_'))).toEqual(
    expect.arrayContaining(variables.filter((name) => /^(ORDER_OUTBOX|ORDER_PROMOTION|INVENTORY)_/.test(name))),
  );
  for (const name of names) expect(variables).toContain(name.toUpperCase().replaceAll(/[.-]/g, '_'));
});

test('Each kind of incident has its runbook, and each runbook its kind', () => {
  const files = readdirSync(join(ROOT, 'docs/runbooks')).filter((file) => file !== 'README.md');
  expect(files.sort()).toEqual(
    Object.values(INCIDENT_KINDS)
      .map(({ runbook }) => runbook)
      .sort(),
  );
  for (const [kind, { runbook }] of Object.entries(INCIDENT_KINDS)) {
    expect(runbook).toBe(`${kind.toLowerCase().replaceAll('_', '-')}.md`);
    expect(read('docs/runbooks/README.md')).toContain(`| [${kind}](${runbook}) |`);
    for (const part of [
      'What it means',
      'What the system has already done',
      'What to look at',
      'Safe actions',
      'When it closes',
    ])
      expect(read(`docs/runbooks/${runbook}`), runbook).toContain(`\n## ${part}\n`);
  }
});
