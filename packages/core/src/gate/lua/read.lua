#!lua flags=no-writes
-- read: the counters of some SKUs of one shop, each with a page of its holds by age.
-- KEYS    5 a SKU: total, deducted, uncommit, version, epoch
-- ARGV    clock offset in ms, only holds older than this many ms (0: all), first hold, how many (0: none)
-- Replies one SKU after the other: READ generation total deducted version holds n, then n times member, take time in ms
--         or NOT_LOADED | STALE_EPOCH | BUSY, or BROKEN_KEY key
-- Cost    a SKU: MGET, ZCARD, and with a page ZRANGE by place, which costs the same anywhere in a large set (C48)
local reply, oldest = {}, nil
local first, last = tonumber(ARGV[3]), tonumber(ARGV[3]) + tonumber(ARGV[4]) - 1
if ARGV[2] ~= '0' then oldest = string.format('%.0f', time_ms(ARGV[1]) - tonumber(ARGV[2])) end

local function read(at)
  local sku, refusal = load_sku(at)
  if not sku then return { refusal } end
  local holds = KEYS[at + 2]
  local count = redis.pcall('ZCARD', holds)
  if type(count) ~= 'number' then return { 'BROKEN_KEY', holds } end
  local page = {}
  if last >= first and count > first then
    local due = oldest and redis.call('ZCOUNT', holds, '-inf', oldest) or count
    if due > first then page = redis.call('ZRANGE', holds, first, math.min(last, due - 1), 'WITHSCORES') end
  end
  return { 'READ', sku.generation, sku.total, sku.deducted, sku.version, count, #page / 2 }, page
end

for at = 1, #KEYS, 5 do
  local intact, head, page = pcall(read, at)
  -- One SKU's broken key says nothing about the others.
  if not intact then head = { 'BROKEN_KEY', string.match(type(head) == 'table' and head.err or head, '^BROKEN_KEY (%S+)') or KEYS[at] } end
  for _, part in ipairs(head) do reply[#reply + 1] = part end
  for _, part in ipairs(page or {}) do reply[#reply + 1] = part end
end
return reply
