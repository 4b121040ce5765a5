/** Faults in how the gate is found closed, rebuilt and opened, and in how a SKU is repaired. */
import type { Plant } from '../plant.ts';

const GATE = 'packages/core/src/gate';
const SECOND_LINES = 'gate/gatekeeper/second-lines.int.test.ts';

export const KEEPER_PLANTS: readonly Plant[] = [
  {
    name: 'overtaken-rebuild-opens',
    rule: 'P10',
    sentence: 'A rebuild that was overtaken opens the epoch of the one that overtook it.',
    place: {
      functions: ['tinystore_inventory.open_gate'],
      edits: [{ find: 'WHERE epoch = p_epoch;', replace: 'WHERE epoch >= p_epoch;' }],
    },
    caughtBy: { file: SECOND_LINES, title: 'P10 a rebuild that was overtaken' },
  },
  {
    name: 'server-not-looked-at-again',
    rule: 'P10',
    sentence: 'A rebuild opens the gate although the server has lost its role meanwhile.',
    place: {
      file: `${GATE}/gatekeeper/rebuild.ts`,
      edits: [
        { find: 'if (!sameIdentity(server, await readPrimary(redis)))', replace: 'if (!sameIdentity(server, server))' },
      ],
    },
    caughtBy: { file: SECOND_LINES, title: 'P10 a rebuild on a server that was demoted' },
  },
  {
    name: 'any-server-is-ours',
    rule: 'P9',
    sentence: 'Web takes units at a server on which no epoch was opened.',
    place: {
      file: `${GATE}/verify-connection.ts`,
      edits: [
        {
          find: "found !== 'no primary' && life.server && sameIdentity(life.server, found)",
          replace: "found !== 'no primary'",
        },
      ],
    },
    caughtBy: { file: 'gate/other-server.int.test.ts', title: 'P9 – A server that was restarted with its old data' },
  },
  {
    name: 'other-server-not-reported',
    rule: 'P21',
    sentence: 'Web sees another server and does not say so, while the gatekeeper still looks at the old one.',
    place: {
      file: `${GATE}/verify-connection.ts`,
      edits: [
        {
          find: 'if (doubted === life.epoch) await onOther(life);',
          replace: 'if (doubted === life.epoch) void onOther;',
        },
      ],
    },
    caughtBy: { file: 'gate/failover.int.test.ts', title: 'and the old server is still a primary' },
  },
  {
    name: 'readonly-raises-no-doubt',
    rule: 'P9',
    sentence: 'A server that says it may not write is still taken for the one of the epoch.',
    place: {
      file: `${GATE}/gate-call.ts`,
      edits: [
        { find: "    verifier.forget();\n    return { kind: 'closed' };", replace: "    return { kind: 'closed' };" },
      ],
    },
    caughtBy: { file: 'gate/other-server.int.test.ts', title: 'P9 – A server that was demoted and promoted again' },
  },
  {
    name: 'load-in-an-epoch-that-is-over',
    rule: 'P18',
    sentence: 'A gatekeeper that was paused takes a generation for a load in a life of the gate that is over.',
    place: {
      functions: ['tinystore_inventory.raise_generations'],
      edits: [{ find: ' AND g.epoch = p_epoch AND g.open', replace: '' }],
    },
    caughtBy: { file: SECOND_LINES, title: 'P18 a load asked for in an epoch that is over' },
  },
  {
    name: 'reinstall-without-generation',
    rule: 'P20',
    sentence: 'A repair loads a SKU that was loaded anew after it was judged.',
    place: {
      functions: ['tinystore_inventory.reinstall_sku'],
      edits: [{ find: ' AND generation = p_generation', replace: '' }],
    },
    caughtBy: { file: 'reconcile/reconcile.int.test.ts', title: 'a SKU that somebody re-installed meanwhile' },
  },
  {
    name: 'moving-sku-judged',
    rule: 'P36',
    sentence: 'A SKU whose counters moved between the two looks is judged all the same.',
    place: {
      file: 'packages/core/src/reconcile/read-gate.ts',
      edits: [{ find: 'return a.version === b.version && a.epoch', replace: 'return a.epoch' }],
    },
    caughtBy: { file: 'reconcile/moving.int.test.ts', title: 'P36 – An order that comes between two looks' },
  },
  {
    name: 'young-hold-is-ghost',
    rule: 'P38',
    sentence: 'A hold whose order is being committed at this moment is called drift.',
    place: {
      file: 'packages/core/src/reconcile/explain.ts',
      edits: [{ find: "facts.proofAgeMs ? 'JUST_TAKEN' : 'GHOST'", replace: "0 ? 'JUST_TAKEN' : 'GHOST'" }],
    },
    caughtBy: {
      file: 'reconcile/reconcile.int.test.ts',
      title: 'for orders on their way, ends and sales not applied yet',
    },
  },
];
