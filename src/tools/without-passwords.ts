/** The arguments of a call, also of one within another, fit to be kept. */
export function withoutPasswords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPasswords);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      name === 'password' && typeof each === 'string' ? '(not kept)' : withoutPasswords(each),
    ]),
  );
}
