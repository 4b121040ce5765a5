#!lua flags=allow-oom
-- remove: takes one SKU off the gate, because the ledger sells it alone now (P18, P20).
-- KEYS    total, deducted, uncommit, version, epoch
-- ARGV    generation of the switch
-- Replies DONE generation 1 | DONE generation 0: nothing stood there, or a newer load does, and stays
-- Cost    MGET, one UNLINK, INCR
-- Only what is older than (this epoch, the generation) goes, loading marks included. The version never falls.
local found = redis.call('MGET', KEYS[5])[1]
local epoch, generation = mark_of(found)
if epoch then
  local ahead = tonumber(EPOCH) - tonumber(epoch)
  if ahead == 0 then ahead = tonumber(ARGV[1]) - tonumber(generation) end
  if ahead <= 0 then return { 'DONE', ARGV[1], 0 } end
end
local version = redis.call('MGET', KEYS[4])[1]
if version and string.match(version, '^%d+$') and #version <= 15 then redis.call('INCR', KEYS[4]) end
return { 'DONE', ARGV[1], redis.call('UNLINK', KEYS[5], KEYS[1], KEYS[2], KEYS[3]) > 0 and 1 or 0 }
