#!lua
-- install: loads one SKU from the ledger in pages (P10, P18).
-- KEYS    total, deducted, uncommit, version, epoch
-- ARGV    generation, T, D, 'first' | 'next', 'more' | 'last', then pairs: take time in ms, member
-- Replies DONE generation 1 | STALE
-- Cost    ZADD a hold, two MGET, INCR; the first page one SET and UNLINK, the last one three SET
-- The first page needs an (epoch, generation) greater than the key's, loading marks included, and leaves the
-- mark "loading:epoch:generation", under which every verb answers BUSY. Later pages go in only under exactly
-- that mark. The last one opens the SKU. The version only ever rises, also when its key was broken. A key that is
-- no mark, or whose epoch is more than a million ahead, was never written by an install: it counts as empty (C26).
local generation, mark = ARGV[1], 'loading:' .. EPOCH .. ':' .. ARGV[1]
local found = redis.call('MGET', KEYS[5])[1]
if ARGV[4] == 'first' then
  local epoch, gen = mark_of(found)
  if epoch then
    local ahead = tonumber(EPOCH) - tonumber(epoch)
    if ahead == 0 then ahead = math.max(-1, tonumber(generation) - tonumber(gen)) end
    if ahead <= 0 and ahead >= -1000000 then return { 'STALE' } end
  end
  redis.call('SET', KEYS[5], mark)
  redis.call('UNLINK', KEYS[3])
elseif found ~= mark then
  return { 'STALE' }
end

for i = 6, #ARGV, 2 do
  units_of(ARGV[i + 1])
  redis.call('ZADD', KEYS[3], ARGV[i], ARGV[i + 1])
end
local version = redis.call('MGET', KEYS[4])[1]
if version and string.match(version, '^%d+$') and #version <= 15 then
  redis.call('INCR', KEYS[4])
else
  redis.call('SET', KEYS[4], string.format('%.0f', time_ms('0')))
end
if ARGV[5] == 'last' then
  redis.call('SET', KEYS[1], ARGV[2])
  redis.call('SET', KEYS[2], ARGV[3])
  redis.call('SET', KEYS[5], EPOCH .. ':' .. generation)
end
return { 'DONE', generation, 1 }
