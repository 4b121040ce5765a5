import { openLaneStores } from './lane-stores.ts';
import { createMemberParts } from './members.ts';
import { runHistory } from './run-history.ts';
import { takeOverTime } from './virtual-time.ts';
const hr = process.hrtime.bigint;
const stores = await openLaneStores('lane_try');
const parts = createMemberParts(stores);
takeOverTime();
const n = Number(process.argv[2] ?? 20); let seed = Number(process.argv[3] ?? 1);
const rnd = () => { seed = (seed * 1103515245 + 12345) % 2147483648; return Math.floor(seed / 7) % 1000000; };
const counts = new Map<string, number>();
let steps = 0; let bad = 0; const t0 = hr();
for (let i = 0; i < n; i++) {
  const world = Array.from({ length: 16 }, rnd);
  const tapes = Array.from({ length: 10 + rnd() % 51 }, () => ({ what: rnd(), who: rnd(), how: rnd(), fault: rnd() }));
  const t = hr();
  const played = await runHistory({ stores, parts, count: (w) => void counts.set(w, (counts.get(w) ?? 0) + 1) }, { world, tapes });
  steps += played.steps;
  if (process.argv[4]) console.log(i, tapes.length, Number((hr() - t) / 1000000n), 'ms');
  if (played.broken.length) { bad++; if (bad < 3) { console.log('BROKEN', i, played.broken); console.log(played.words.slice(-60).join('\n')); } }
}
console.log(n, 'histories', bad, 'bad', steps, 'steps', Number((hr() - t0) / 1000000n) / n, 'ms each');
console.log([...counts].sort().map(([a, b]) => `${a}=${b}`).join(' '));
await stores.close();
process.exit(0);
