#!lua
-- install: loads one SKU from the ledger in pages (P10, P18).
-- KEYS    total, deducted, uncommit, version, epoch
-- ARGV    generation, T, D, 'first' | 'next', 'more' | 'last', then pairs: take time in ms, member
-- Replies DONE generation 1 | STALE
-- Cost    MGET, one ZADD, and SET or, with the last page, MSET; the first page one SET and UNLINK
-- The first page needs an (epoch, generation) greater than the key's, loading marks included, and leaves the
-- mark "loading:epoch:generation", under which every verb answers BUSY. Later pages go in only under exactly
-- that mark. The last one opens the SKU. The version only ever rises, also when its key was broken. A key that is
-- no mark, or whose epoch is more than a million ahead, was never written by an install: it counts as empty (C26).
local generation, mark = ARGV[1], 'loading:' .. EPOCH .. ':' .. ARGV[1]
for i = 7, #ARGV, 2 do units_of(ARGV[i]) end
local found, version = unpack(redis.call('MGET', KEYS[5], KEYS[4]))
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

if #ARGV > 5 then redis.call('ZADD', KEYS[3], unpack(ARGV, 6)) end
if version and string.match(version, '^%d+$') and #version <= 15 then
  version = string.format('%.0f', tonumber(version) + 1)
else
  version = string.format('%.0f', time_ms('0'))
end
if ARGV[5] == 'last' then
  redis.call('MSET', KEYS[1], ARGV[2], KEYS[2], ARGV[3], KEYS[4], version, KEYS[5], EPOCH .. ':' .. generation)
else
  redis.call('SET', KEYS[4], version)
end
return { 'DONE', generation, 1 }
