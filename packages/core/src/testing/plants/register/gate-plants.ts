/** Faults in the gate's scripts and in its gatekeeper. */
import type { Plant } from '../plant.ts';

const LUA = 'packages/core/src/gate/lua';
const KEEPER = 'packages/core/src/gate/gatekeeper';

export const GATE_PLANTS: readonly Plant[] = [
  {
    name: 'take-not-idempotent',
    rule: 'P8',
    sentence: 'A take that comes twice under one id deducts its units twice.',
    place: {
      file: `${LUA}/take.lua`,
      edits: [{ find: "sku.held = redis.call('ZSCORE', KEYS[at + 2], member)", replace: 'sku.held = false' }],
    },
    caughtBy: { file: 'gate/scripts.int.test.ts', title: 'C27 every hold has its own entry' },
  },
  {
    name: 'missing-counter-is-zero',
    rule: 'P8',
    sentence: 'A counter that is gone counts as 0 instead of closing the gate.',
    place: {
      file: `${LUA}/prelude.lua`,
      edits: [
        {
          find: "if not (v[1] and v[2] and v[3]) then return nil, 'NOT_LOADED' end",
          replace: "for i = 1, 3 do v[i] = v[i] or '0' end",
        },
      ],
    },
    caughtBy: { file: 'gate/redis-loss.int.test.ts', title: 'C06 a lost deducted key is neither zero' },
  },
  {
    name: 'raise-sets',
    rule: 'P4',
    sentence: 'A RAISE that comes late sets the capacity back to what it was.',
    place: {
      file: `${LUA}/raise.lua`,
      edits: [{ find: 'if tonumber(total) > tonumber(sku.total) then', replace: 'if true then' }],
    },
    caughtBy: { file: 'gate/scripts.int.test.ts', title: 'P4 capacities that arrive in any order' },
  },
  {
    name: 'stale-installer-accepted',
    rule: 'P18',
    sentence: 'An installer that was paused loads its old figures over newer ones.',
    place: {
      file: `${LUA}/install.lua`,
      edits: [{ find: "if ahead <= 0 and ahead >= -1000000 then return { 'STALE' } end", replace: '' }],
    },
    caughtBy: { file: 'gate/second-lines.int.test.ts', title: 'P18 an older load never replaces' },
  },
  {
    name: 'install-guard-equal',
    rule: 'P18',
    sentence: 'A second load under the same epoch and generation is let in.',
    place: {
      file: `${LUA}/install.lua`,
      edits: [
        {
          find: "if ahead <= 0 and ahead >= -1000000 then return { 'STALE' } end",
          replace: "if ahead < 0 and ahead >= -1000000 then return { 'STALE' } end",
        },
      ],
    },
    caughtBy: { file: 'gate/second-lines.int.test.ts', title: 'P18 a second load under the same' },
  },
  {
    name: 'loading-mark-left-out',
    rule: 'P10',
    sentence: 'While a SKU is loaded in pages its key stays open, with half of its holds.',
    place: {
      file: `${LUA}/install.lua`,
      edits: [
        { find: "redis.call('SET', KEYS[5], mark)", replace: '' },
        { find: 'elseif found ~= mark then', replace: 'elseif false then' },
      ],
    },
    caughtBy: { file: 'gate/second-lines.int.test.ts', title: 'P10 a SKU that is being loaded' },
  },
  {
    name: 'later-page-without-its-mark',
    rule: 'P10',
    sentence: 'The second page of an overtaken load goes into the load that overtook it.',
    place: {
      file: `${LUA}/install.lua`,
      edits: [{ find: 'elseif found ~= mark then', replace: 'elseif false then' }],
    },
    caughtBy: { file: 'gate/second-lines.int.test.ts', title: 'P10 a page of a load that was overtaken' },
  },
  {
    name: 'remove-without-generation',
    rule: 'P18',
    sentence: 'A removal that comes late takes away what a later switch back has loaded.',
    place: {
      file: `${LUA}/remove.lua`,
      edits: [{ find: "if ahead <= 0 then return { 'DONE', ARGV[1], 0 } end", replace: '' }],
    },
    caughtBy: { file: 'gate/second-lines.int.test.ts', title: 'P18 a removal leaves' },
  },
  {
    name: 'snapshot-before-lock',
    rule: 'P10',
    sentence: 'A rebuild reads the ledger as it was before it had the lock, and misses an order.',
    place: {
      file: `${KEEPER}/rebuild.ts`,
      edits: [
        {
          find: "await db.query('SELECT pg_advisory_lock(ops.gate_lock_key())');",
          replace: `const early = new (db as any).constructor((db as any).connectionParameters);
            early.on('error', () => undefined);
            await early.connect();
            await early.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
            const snapshot = (await early.query('SELECT pg_export_snapshot() AS id')).rows[0].id;
            await db.query('SELECT pg_advisory_lock(ops.gate_lock_key())');`,
        },
        {
          find: "await db.query('SELECT 1 FROM tinystore_inventory.gate_epoch');",
          // biome-ignore lint/suspicious/noTemplateCurlyInString: text of a source
          replace: "await db.query(`SET TRANSACTION SNAPSHOT '${snapshot}'`); await early.end();",
        },
      ],
    },
    caughtBy: { file: 'gate/gatekeeper/gatekeeper.int.test.ts', title: 'P10 a commit under way when a rebuild begins' },
  },
  {
    name: 'mark-without-epoch',
    rule: 'P18',
    sentence: 'A gatekeeper that was paused marks effects done in a life of the gate that is over.',
    place: {
      file: `${KEEPER}/mark-applied.ts`,
      edits: [{ find: ' AND g.epoch = $1', replace: '' }],
    },
    caughtBy: { file: 'gate/second-lines.int.test.ts', title: 'P18 an effect applied in an epoch' },
  },
  {
    name: 'mark-without-generation',
    rule: 'P18',
    sentence: 'An effect counts as done although its SKU was loaded anew meanwhile.',
    place: {
      file: `${KEEPER}/mark-applied.ts`,
      edits: [{ find: 's.generation = a.generation OR ', replace: 'true OR ' }],
    },
    caughtBy: { file: 'gate/second-lines.int.test.ts', title: 'P18 an effect applied to a load' },
  },
  {
    name: 'load-without-generation-of-its-own',
    rule: 'P18',
    sentence: 'A load of one SKU goes in under the generation that takes were answered with.',
    place: {
      functions: ['tinystore_inventory.raise_generations'],
      edits: [{ find: 'SET generation = s.generation + 1', replace: 'SET generation = s.generation' }],
    },
    caughtBy: { file: 'gate/gatekeeper/gatekeeper.int.test.ts', title: 'P20 an order taken before a re-install' },
  },
  {
    name: 'settle-without-version',
    rule: 'P36',
    sentence: 'A settle between two looks at a SKU goes unseen.',
    place: {
      file: `${LUA}/settle.lua`,
      edits: [
        {
          find: "removed + redis.call('ZREM', KEYS[3], member) end\nredis.call('INCR', KEYS[4])",
          replace: "removed + redis.call('ZREM', KEYS[3], member) end",
        },
      ],
    },
    caughtBy: { file: 'gate/scripts.int.test.ts', title: 'P36 whatever may have changed a SKU raises its version' },
  },
  {
    name: 'no-give-back-without-memory',
    rule: 'P14',
    sentence: 'A gate at its memory limit refuses what would free memory.',
    place: {
      file: `${LUA}/give-back.lua`,
      edits: [{ find: '#!lua flags=allow-oom', replace: '#!lua' }],
    },
    caughtBy: { file: 'gate/out-of-memory.int.test.ts', title: 'P14 – A gate at its memory limit' },
  },
];
