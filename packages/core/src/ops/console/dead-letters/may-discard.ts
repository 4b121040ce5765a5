/** Which letters may be thrown away (P33): never those that move units. The safe action for them is close and refund. */
const MOVES_UNITS: readonly string[] = ['INVENTORY_RESERVE_DB', 'INVENTORY_CONFIRM', 'INVENTORY_RELEASE'];

export function classifyLetter(type: string): 'moves-units' | 'discardable' {
  return MOVES_UNITS.includes(type) ? 'moves-units' : 'discardable';
}
