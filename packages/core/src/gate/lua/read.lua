#!lua flags=no-writes
-- read: the counters of one SKU, and a page of its holds by age.
-- KEYS    total, deducted, uncommit, version, epoch
-- ARGV    clock offset in ms, only holds older than this many ms (0: all), first hold, how many (0: none)
-- Replies READ generation total deducted version holds, then member, take time in ms ...
--         NOT_LOADED | STALE_EPOCH | BUSY
-- Cost    MGET, ZCARD, and with a page ZRANGEBYSCORE, which grows with the first hold's place
local sku, refusal = load_sku(1)
if not sku then return { refusal } end
local reply = { 'READ', sku.generation, sku.total, sku.deducted, sku.version, redis.call('ZCARD', KEYS[3]) }
if ARGV[4] ~= '0' then
  local oldest = '+inf'
  if ARGV[2] ~= '0' then oldest = string.format('%.0f', time_ms(ARGV[1]) - tonumber(ARGV[2])) end
  local page = redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', oldest, 'WITHSCORES', 'LIMIT', ARGV[3], ARGV[4])
  for _, part in ipairs(page) do reply[#reply + 1] = part end
end
return reply
