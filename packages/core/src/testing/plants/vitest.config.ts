/** Integration tests as the project `int` runs them, with a planted fault. */
import { defineConfig } from 'vitest/config';
import root from '../../../../../vitest.config.ts';
import { plantPlugin } from './plant-plugin.ts';

const int = root.test?.projects?.find((one) => typeof one === 'object' && 'test' in one && one.test?.name === 'int');
if (typeof int !== 'object' || !('test' in int)) throw new Error('vitest.config.ts has no project "int"');

export default defineConfig({
  root: new URL('../../../../..', import.meta.url).pathname,
  plugins: [plantPlugin()],
  // A source that was changed for one run must not come from Vitest's cache in another.
  test: { ...int.test, fsModuleCache: false },
});
