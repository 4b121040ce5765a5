/**
 * Partition of a key: murmur2 as Java's default partitioner computes it, so that any client agrees. Chosen here,
 * not inside kafkajs, because the relay must know which message got which offset, and without big integers.
 */
const SEED = 0x9747b28c;
const MIX = 0x5bd1e995;

export function murmur2(key: string): number {
  const data = Buffer.from(key);
  const length = data.length;
  const whole = length & ~3;
  let hash = SEED ^ length;
  for (let at = 0; at < whole; at += 4) {
    let word = Math.imul(data.readInt32LE(at), MIX);
    word = Math.imul(word ^ (word >>> 24), MIX);
    hash = Math.imul(hash, MIX) ^ word;
  }
  if (whole < length) {
    for (let at = length - 1; at >= whole; at--) hash ^= data.readUInt8(at) << (8 * (at - whole));
    hash = Math.imul(hash, MIX);
  }
  hash = Math.imul(hash ^ (hash >>> 13), MIX);
  return hash ^ (hash >>> 15);
}

export function partitionOf(key: string, partitions: number): number {
  return (murmur2(key) & 0x7fffffff) % partitions;
}
