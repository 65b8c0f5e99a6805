/**
 * Stands for what is there at the moment of each call: a debugger and all its parts are others after a power cycle, and
 * whoever took one of them before it must not be left with a dead one.
 */
export function currentPart<T extends object>(get: () => T): T {
  return new Proxy(get(), {
    get: (_, name) => {
      const now = get();
      const value: unknown = Reflect.get(now, name, now);
      return typeof value === 'function' ? value.bind(now) : value;
    },
    has: (_, name) => Reflect.has(get(), name),
  });
}
