/**
 * For `node --import`: plants the fault that HOLDFAST_PLANT names as its source is loaded, in this process and, with
 * NODE_OPTIONS, in those that it starts.
 */
import { registerHooks } from 'node:module';
import { plantSource } from './plant-source.ts';
import { presentPlant } from './register.ts';

const plant = presentPlant();
if (plant)
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (loaded.source == null) return loaded;
      const text = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source);
      const source = plantSource(plant, new URL(url).pathname, text);
      return source === undefined ? loaded : { ...loaded, source };
    },
  });
