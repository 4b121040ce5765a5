#!lua flags=allow-oom
-- giveBack: removes holds of one SKU and lowers D by their stored quantities; each hold counts once.
-- KEYS    total, deducted, uncommit, version, epoch
-- ARGV    members "reservationId:quantity"
-- Replies DONE generation removed | NOT_LOADED | STALE_EPOCH | BUSY
-- Cost    MGET, ZSCORE and ZREM a hold, DECRBY, INCR
local sku, refusal = load_sku(1)
if not sku then return { refusal } end
local present, units, seen = {}, 0, {}
for _, member in ipairs(ARGV) do
  local n = units_of(member)
  if not seen[member] and redis.call('ZSCORE', KEYS[3], member) then
    seen[member] = true
    present[#present + 1] = member
    units = units + n
  end
end
if tonumber(sku.deducted) < units then return redis.error_reply('BROKEN_KEY ' .. KEYS[2]) end
for _, member in ipairs(present) do redis.call('ZREM', KEYS[3], member) end
redis.call('DECRBY', KEYS[2], string.format('%.0f', units))
redis.call('INCR', KEYS[4])
return { 'DONE', sku.generation, #present }
