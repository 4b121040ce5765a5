/** An object whose methods may be answered by somebody else; all the rest is its own. */
export type Method = (...args: unknown[]) => unknown;

/** @param around the method that stands for the one of this name; undefined leaves it as it is */
export function intercept<T extends object>(
  target: T,
  around: (name: string, method: Method) => Method | undefined,
): T {
  const watched: T = new Proxy(target, {
    get(from, name) {
      const value: unknown = Reflect.get(from, name);
      if (typeof value !== 'function') return value;
      const method: Method = (...args) => {
        const result: unknown = Reflect.apply(value, from, args);
        // What returns itself, for chaining, stays watched.
        return result === from ? watched : result;
      };
      return (typeof name === 'string' ? around(name, method) : undefined) ?? method;
    },
  });
  return watched;
}
