/** What both processors have, before an instruction. */
export interface Registers {
  readonly pc: number;
  readonly a: number;
  readonly x: number;
  readonly y: number;
  readonly sp: number;
  readonly flags: number;
}

/** By the names that VICE has for them. */
export function registersOf(registers: ReadonlyMap<string, number>): Registers {
  const of = (name: string) => registers.get(name) ?? 0;
  return { pc: of('PC'), a: of('A'), x: of('X'), y: of('Y'), sp: of('SP'), flags: of('FL') };
}
