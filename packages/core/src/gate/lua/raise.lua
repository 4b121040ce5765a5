#!lua
-- raise: T = max(T, new). Idempotent and right in any order, because T never falls (P4).
-- KEYS    total, deducted, uncommit, version, epoch
-- ARGV    the new T
-- Replies DONE generation 1 | NOT_LOADED | STALE_EPOCH | BUSY
-- Cost    MGET, INCR, and SET when T rises
local sku, refusal = load_sku(1)
if not sku then return { refusal } end
local total = integer(ARGV[1], 'the new total')
if tonumber(total) > tonumber(sku.total) then redis.call('SET', KEYS[1], total) end
redis.call('INCR', KEYS[4])
return { 'DONE', sku.generation, 1 }
