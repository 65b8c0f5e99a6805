/** Registers of a machine by name, in capitals. */
export type Values = ReadonlyMap<string, bigint>;
/** Registers to be written, as `registers_write` takes them. */
export type Changes = Readonly<Record<string, bigint>>;

export interface LayoutRegister {
  readonly name: string;
  readonly bits: number;
  readonly type: string;
  /** Undefined: it has no value now. */
  read(values: Values): bigint | undefined;
  /** Undefined: it cannot be written. */
  write(value: bigint, values: Values): Changes | undefined;
}

/** The registers of a machine as a debugger wants them, in its numbering. */
export interface RegisterLayout {
  readonly architecture: string | undefined;
  readonly features: readonly { readonly name: string; readonly registers: readonly LayoutRegister[] }[];
  readonly registers: readonly LayoutRegister[];
  /** Numbers of those that each stop tells. */
  readonly told: readonly number[];
  /** As LLDB names the target. */
  readonly triple: string;
  readonly pointerBytes: number;
}

export function layout(parts: Omit<RegisterLayout, 'registers' | 'told'>): RegisterLayout {
  const registers = parts.features.flatMap((feature) => feature.registers);
  const told = registers.flatMap(({ type }, number) => (type.endsWith('_ptr') ? [number] : []));
  return { ...parts, registers, told };
}

/** The one of the machine's own with one of these names. */
export function plain(name: string, bits: number, names: readonly string[], type = `uint${bits}`): LayoutRegister {
  const found = (values: Values) => names.find((each) => values.has(each));
  return {
    ...{ name, bits, type },
    read: (values) => values.get(found(values) ?? ''),
    write: (value, values) => {
      const own = found(values);
      return own === undefined ? undefined : { [own]: value };
    },
  };
}

/** One that the debugger insists on and the machine does not have. */
export function absent(name: string, bits: number, type = `uint${bits}`): LayoutRegister {
  return { ...{ name, bits, type }, read: () => undefined, write: () => undefined };
}

export function targetXml({ architecture, features }: RegisterLayout): string {
  const parts = features.map(({ name, registers }) => {
    const lines = registers.map((register) => {
      const role = roleOf(register);
      const generic = role === undefined ? '' : ` generic="${role}"`;
      return `<reg name="${register.name}" bitsize="${register.bits}" type="${register.type}"${generic}/>`;
    });
    return `<feature name="${name}">${lines.join('')}</feature>`;
  });
  const named = architecture === undefined ? '' : `<architecture>${architecture}</architecture><osabi>none</osabi>`;
  return `<?xml version="1.0"?><!DOCTYPE target SYSTEM "gdb-target.dtd"><target version="1.0">${named}${parts.join('')}</target>`;
}

/** In LLDB's words: on a processor that it has not heard of, it knows no other way to tell which is the program counter. */
function roleOf({ name, type }: LayoutRegister): 'pc' | 'sp' | 'flags' | undefined {
  if (type === 'code_ptr') return 'pc';
  if (type === 'data_ptr') return 'sp';
  return name === 'p' || name === 'eflags' ? 'flags' : undefined;
}

/** A register as LLDB asks for it, one by one; undefined where there is none of that number. */
export function registerInfo({ registers }: RegisterLayout, number: number): string | undefined {
  const register = registers[number];
  if (!register) return undefined;
  const { name, bits, type } = register;
  const role = roleOf(register);
  const offset = registers.slice(0, number).reduce((sum, each) => sum + each.bits / 8, 0);
  const isFloat = type === 'i387_ext';
  const form = isFloat ? 'encoding:ieee754;format:float' : 'encoding:uint;format:hex';
  const generic = role === undefined ? '' : `generic:${role};`;
  return `name:${name};bitsize:${bits};offset:${offset};${form};set:General Purpose Registers;${generic}`;
}

/** A value as it goes over the wire: little end first. */
export function toWire(value: bigint | undefined, bits: number): string {
  const bytes = bits / 8;
  if (value === undefined) return 'xx'.repeat(bytes);
  const digits = BigInt.asUintN(bits, value)
    .toString(16)
    .padStart(bytes * 2, '0');
  return Buffer.from(digits, 'hex').reverse().toString('hex');
}

export function fromWire(wire: string): bigint | undefined {
  if (!/^([0-9a-f]{2})+$/i.test(wire)) return undefined;
  return BigInt(`0x${Buffer.from(wire, 'hex').reverse().toString('hex')}`);
}
