/** A pool before one of whose queries something else happens: the moment between a look and the act that follows it. */
import type { Pool } from '../platform/index.ts';

/** @param match text of the query; `act` is awaited before it is sent, once */
export function beforeQuery(real: Pool, match: string, act: () => Promise<unknown>): Pool {
  let due = true;
  return new Proxy(real, {
    get(from, name) {
      const value: unknown = Reflect.get(from, name);
      if (typeof value !== 'function') return value;
      if (name !== 'query') return value.bind(from);
      return async (...args: unknown[]) => {
        if (due && JSON.stringify(args[0]).includes(match)) {
          due = false;
          await act();
        }
        return Reflect.apply(value, from, args);
      };
    },
  });
}
