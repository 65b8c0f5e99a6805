/** What a table holds under a name that somebody else wrote: `constructor` and its like, which every object has, are none of it. */
export function ownValue<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
