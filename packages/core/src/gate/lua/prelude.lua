-- Shared start of every gate script, put in below the flags line by generate-lua.ts.
-- The epoch is part of the text, so a script of another life of the gate has another SHA (P7).
local EPOCH = '{{epoch}}'

-- A counter's text when it is a whole number that keeps every digit; an error otherwise, before any write (P8, C26).
-- No counter is negative; one that is would let more be taken than there is.
local function integer(text, key)
  if text ~= '0' and not (string.match(text, '^[1-9]%d*$') and #text <= 16 and tonumber(text) <= 9007199254740991) then
    error({ err = 'BROKEN_KEY ' .. key })
  end
  return text
end

-- Epoch and generation in the text of an epoch key, and whether a load is under way; nothing when it is no mark.
local function mark_of(text)
  local loading = string.match(text or '', '^loading:(.*)$')
  local epoch, generation = string.match(loading or text or '', '^(%d+):(%d+)$')
  if not epoch or #epoch > 15 or #generation > 16 then return nil end
  return epoch, generation, loading ~= nil
end

-- Compares this script's epoch with the SKU's own key. `at` is the index of the SKU's first key.
-- Answers {total, deducted, version, generation}, or nil and the refusal.
local function load_sku(at)
  local v = redis.call('MGET', KEYS[at], KEYS[at + 1], KEYS[at + 3], KEYS[at + 4])
  if not v[4] then return nil, 'NOT_LOADED' end
  local epoch, generation, loading = mark_of(v[4])
  if not epoch then error({ err = 'BROKEN_KEY ' .. KEYS[at + 4] }) end
  if loading then return nil, 'BUSY' end
  if epoch ~= EPOCH then return nil, 'STALE_EPOCH' end
  if not (v[1] and v[2] and v[3]) then return nil, 'NOT_LOADED' end
  return {
    total = integer(v[1], KEYS[at]), deducted = integer(v[2], KEYS[at + 1]),
    version = integer(v[3], KEYS[at + 3]), generation = generation,
  }
end

-- Redis time in ms plus the test clock's offset (P42).
local function time_ms(offset)
  local t = redis.call('TIME')
  return tonumber(t[1]) * 1000 + math.floor(tonumber(t[2]) / 1000) + tonumber(offset)
end

-- Units in a hold's member "reservationId:quantity".
local function units_of(member)
  local units = string.match(member, '^[0-9a-f%-]+:([1-9]%d*)$')
  if not units then error({ err = 'BAD_HOLD ' .. member }) end
  return tonumber(units)
end
