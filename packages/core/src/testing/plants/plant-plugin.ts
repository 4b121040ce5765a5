/** For Vitest, which loads sources by itself: the fault that HOLDFAST_PLANT names. */
import type { Plugin } from 'vite';
import { plantSource } from './plant-source.ts';
import { presentPlant } from './register.ts';

export function plantPlugin(): Plugin {
  const plant = presentPlant();
  return {
    name: 'holdfast-plant',
    enforce: 'pre',
    transform: (text, id) => plant && plantSource(plant, id, text),
  };
}
