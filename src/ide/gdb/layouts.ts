import {
  absent,
  type Changes,
  type LayoutRegister,
  layout,
  plain,
  type RegisterLayout,
  type Values,
} from './register-layout.ts';

const segmentBytes = 0x10000n;

/**
 * Debuggers know one sort of address. In real mode we give them linear ones: `eip` and `esp` hold segment × 16 + offset, so
 * that code, stack and breakpoints are where they say. The offsets themselves are `ip_offset` and `sp_offset`.
 */
function linear(name: string, type: string, segment: string, offsets: readonly string[]): LayoutRegister {
  const offsetOf = (values: Values) => offsets.find((each) => values.has(each)) ?? '';
  return {
    ...{ name, bits: 32, type },
    read: (values) => (values.get(segment) ?? 0n) * 16n + ((values.get(offsetOf(values)) ?? 0n) & 0xffffn),
    write(value, values): Changes | undefined {
      const from = value - (values.get(segment) ?? 0n) * 16n;
      if (from >= 0n && from < segmentBytes) return { [offsetOf(values)]: from };
      if (value > 0x10ffefn) return undefined;
      const base = value >= 0x100000n ? 0xffffn : value >> 4n;
      return { [segment]: base, [offsetOf(values)]: value - base * 16n };
    },
  };
}

const wide = (name: string) => plain(`e${name}`, 32, [`E${name.toUpperCase()}`, name.toUpperCase()]);
const segment = (name: string) => plain(name, 32, [name.toUpperCase()], 'uint32');
const numeric = [
  ...Array.from({ length: 8 }, (_, index) => plain(`st${index}`, 80, [`ST${index}`], 'i387_ext')),
  plain('fctrl', 32, ['FCW'], 'int'),
  plain('fstat', 32, ['FSW'], 'int'),
  plain('ftag', 32, ['FTW'], 'int'),
  ...['fiseg', 'fioff', 'foseg', 'fooff', 'fop'].map((name) => absent(name, 32, 'int')),
];

const realMode = layout({
  architecture: 'i8086',
  triple: 'i386-unknown-none-code16',
  pointerBytes: 4,
  features: [
    {
      name: 'org.gnu.gdb.i386.core',
      registers: [
        ...['ax', 'cx', 'dx', 'bx'].map(wide),
        linear('esp', 'data_ptr', 'SS', ['ESP', 'SP']),
        ...['bp', 'si', 'di'].map(wide),
        linear('eip', 'code_ptr', 'CS', ['EIP', 'IP']),
        wide('flags'),
        ...['cs', 'ss', 'ds', 'es', 'fs', 'gs'].map(segment),
        ...numeric,
      ],
    },
    {
      name: 'frontpanel.real-mode',
      registers: [plain('ip_offset', 16, ['IP', 'EIP']), plain('sp_offset', 16, ['SP', 'ESP'])],
    },
  ],
});

const eightBit = [
  ...['a', 'x', 'y', 'p'].map((name) => plain(name, 8, [name.toUpperCase()], 'uint8')),
  plain('sp', 8, ['SP'], 'data_ptr'),
  plain('pc', 16, ['PC'], 'code_ptr'),
];

/** The numbering and the name of the feature are those of LLDB for the 6502 (llvm-mos), which has them from MAME. */
const mos6502 = layout({
  architecture: undefined,
  triple: 'mos-unknown-unknown',
  pointerBytes: 2,
  features: [{ name: 'mame.m6502', registers: eightBit }],
});

const pageOne = 0x100n;

/** gdb has no 6502. It gets the program counter and the stack pointer of one in an i386, and the others under their own names. */
const mos6502ForGdb = layout({
  architecture: 'i8086',
  triple: mos6502.triple,
  pointerBytes: 4,
  features: [
    {
      name: 'org.gnu.gdb.i386.core',
      registers: [
        ...['eax', 'ecx', 'edx', 'ebx'].map((name) => absent(name, 32)),
        {
          ...{ name: 'esp', bits: 32, type: 'data_ptr' },
          read: (values) => pageOne + (values.get('SP') ?? 0n),
          write: (value) => ({ SP: value & 0xffn }),
        },
        ...['ebp', 'esi', 'edi'].map((name) => absent(name, 32)),
        plain('eip', 32, ['PC'], 'code_ptr'),
        ...['eflags', 'cs', 'ss', 'ds', 'es', 'fs', 'gs'].map((name) => absent(name, 32)),
        ...numeric,
      ],
    },
    {
      name: 'frontpanel.6502',
      registers: eightBit.filter(({ name }) => name.length === 1).concat(plain('s', 8, ['SP'])),
    },
  ],
});

/** The layout for a machine with these registers; undefined where there is none. */
export function layoutFor(values: Values, isGdb: boolean): RegisterLayout | undefined {
  if (values.has('CS') && (values.has('IP') || values.has('EIP'))) return realMode;
  if (['A', 'X', 'Y', 'P', 'SP', 'PC'].every((name) => values.has(name))) return isGdb ? mos6502ForGdb : mos6502;
  return undefined;
}
