#!lua flags=allow-oom
-- settle: removes paid holds of one SKU; D stays, for confirmed units are in it for good.
-- KEYS    total, deducted, uncommit, version, epoch
-- ARGV    members "reservationId:quantity"
-- Replies DONE generation removed | NOT_LOADED | STALE_EPOCH | BUSY
-- Cost    MGET, ZCARD, ZREM a hold, INCR
local sku, refusal = load_sku(1)
if not sku then return { refusal } end
-- Fails on a key of another type before anything is written, also when no member is given (P8).
redis.call('ZCARD', KEYS[3])
for _, member in ipairs(ARGV) do units_of(member) end
local removed = 0
for _, member in ipairs(ARGV) do removed = removed + redis.call('ZREM', KEYS[3], member) end
redis.call('INCR', KEYS[4])
return { 'DONE', sku.generation, removed }
