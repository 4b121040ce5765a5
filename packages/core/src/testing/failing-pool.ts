/** A pool whose n-th use loses its session, as a terminated backend does; every other use works. */
import type { Pool } from '../platform/index.ts';

export interface FailingPool {
  readonly pool: Pool;
  /** True once the fault has been met. */
  readonly met: () => boolean;
}

/** @param nth 0 is the first query, counted over the pool and the clients that it hands out */
export function failAtQuery(real: Pool, nth: number): FailingPool {
  let left = nth;
  const lost = () => Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' });
  const guard = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(from, name) {
        const value: unknown = Reflect.get(from, name);
        if (typeof value !== 'function') return value;
        if (name === 'query')
          return (...args: unknown[]) => {
            left -= 1;
            return left === -1 ? Promise.reject(lost()) : Reflect.apply(value, from, args);
          };
        if (name === 'connect') return async () => guard(await real.connect());
        return value.bind(from);
      },
    });
  return { pool: guard(real), met: () => left < 0 };
}
