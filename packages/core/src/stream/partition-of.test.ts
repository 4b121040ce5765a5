import { expect, test } from 'vitest';
import { murmur2, partitionOf } from './partition-of.ts';

test('Keys hash as in the Java client, so every client agrees on the partition', () => {
  // Vectors of the Java client's own test.
  expect(murmur2('21')).toBe(-973932308);
  expect(murmur2('foobar')).toBe(-790332482);
  expect(murmur2('a-little-bit-long-string')).toBe(-985981536);
  expect(murmur2('a-little-bit-longer-string')).toBe(-1486304829);
  expect(murmur2('lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8')).toBe(-58897971);
  expect(murmur2('abc')).toBe(479470107);
});

test('A key of any script and length lands on an existing partition', () => {
  for (const key of ['', 'ä', '鍵', 'x'.repeat(128), '0191d6a2-7d1e-7c5b-9a3f-0a1b2c3d4e5f'])
    for (const partitions of [1, 6, 1000]) {
      const partition = partitionOf(key, partitions);
      expect(partition).toBeGreaterThanOrEqual(0);
      expect(partition).toBeLessThan(partitions);
    }
});
