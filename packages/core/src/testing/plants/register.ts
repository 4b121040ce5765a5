/** Every planted fault. A unit test holds that each still applies to the sources of today. */
import type { Plant } from './plant.ts';
import { EVENT_PLANTS } from './register/event-plants.ts';
import { FENCE_PLANTS } from './register/fence-plants.ts';
import { GATE_PLANTS } from './register/gate-plants.ts';
import { KEEPER_PLANTS } from './register/keeper-plants.ts';
import { LEDGER_PLANTS } from './register/ledger-plants.ts';
import { MONEY_PLANTS } from './register/money-plants.ts';
import { ORDER_PLANTS } from './register/order-plants.ts';

export const PLANTS: readonly Plant[] = [
  ...FENCE_PLANTS,
  ...GATE_PLANTS,
  ...KEEPER_PLANTS,
  ...ORDER_PLANTS,
  ...LEDGER_PLANTS,
  ...MONEY_PLANTS,
  ...EVENT_PLANTS,
];

/** @throws for a name that nobody has planted */
export function findPlant(name: string): Plant {
  const plant = PLANTS.find((one) => one.name === name);
  if (!plant) throw new Error(`no planted fault "${name}", one of: ${PLANTS.map((one) => one.name).join(', ')}`);
  return plant;
}

/** The one that this process and its children run with; undefined: none. */
export function presentPlant(): Plant | undefined {
  const { HOLDFAST_PLANT: name } = process.env;
  return name ? findPlant(name) : undefined;
}
