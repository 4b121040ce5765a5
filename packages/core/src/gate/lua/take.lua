#!lua
-- take: all lines of one shop, or none.
-- KEYS    5 a line: total, deducted, uncommit, version, epoch
-- ARGV    clock offset in ms, then one member "reservationId:quantity" a line
-- Replies TAKEN generation...           every line holds its units (a hold already there counts once)
--         SOLD_OUT left...              nothing taken; what each line could still have
--         NOT_LOADED | STALE_EPOCH | BUSY line
-- Cost    per line: MGET, ZSCORE, and when it takes ZADD, INCRBY, INCR. Nothing is written before all lines pass.
local lines, seen, short = {}, {}, false
for n = 1, #KEYS / 5 do
  local at, member = n * 5 - 4, ARGV[n + 1]
  if seen[KEYS[at]] then return redis.error_reply('SAME_SKU_TWICE ' .. KEYS[at]) end
  seen[KEYS[at]] = true
  local sku, refusal = load_sku(at)
  if not sku then return { refusal, n } end
  sku.units = units_of(member)
  sku.held = redis.call('ZSCORE', KEYS[at + 2], member)
  sku.left = math.max(0, tonumber(sku.total) - tonumber(sku.deducted))
  if not sku.held and sku.left < sku.units then short = true end
  lines[n] = sku
end

local reply = { short and 'SOLD_OUT' or 'TAKEN' }
local now = string.format('%.0f', time_ms(ARGV[1]))
for n, sku in ipairs(lines) do
  local at = n * 5 - 4
  if short then
    reply[n + 1] = string.format('%.0f', sku.left)
  else
    reply[n + 1] = sku.generation
    if not sku.held then
      redis.call('ZADD', KEYS[at + 2], now, ARGV[n + 1])
      redis.call('INCRBY', KEYS[at + 1], string.format('%.0f', sku.units))
      redis.call('INCR', KEYS[at + 3])
    end
  end
end
return reply
