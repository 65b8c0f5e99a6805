/**
 * Writes two files from the opcode table: `cycles.generated.ts`, every bus cycle of every opcode as a case of one switch
 * (about 130 distinct ones, small enough for V8 to optimise), and `instructions.generated.ts`, the documented opcodes as
 * wholes for stretches in which nothing but memory is involved. With `--check` it only fails when they are stale.
 *
 * In the texts below `$name` is a word of the processor's state and `d` the byte that was read. A cycle that reads names
 * the word that holds its address, so that the generated code has a single place where it reads; writes are few and
 * stand in their bodies.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type Opcode, opcodes } from '../src/chips/mos6510/opcodes.ts';
import { fields, interruptRow, resetRow } from '../src/chips/mos6510/registers.ts';

const cyclesPath = 'src/chips/mos6510/cycles.generated.ts';
const instructionsPath = 'src/chips/mos6510/instructions.generated.ts';
const observedPath = 'src/chips/mos6510/observed-instructions.generated.ts';
const busInstructionsPath = 'src/chips/mos6510/instructions-on-bus.generated.ts';

interface Cycle {
  /** The word with the address to read from; cycles without one write. */
  readonly from?: keyof typeof fields;
  readonly body: string;
}

const read = (from: keyof typeof fields, body = ''): Cycle => ({ from, body });
const write = (address: string, value: string, body: string): Cycle => ({
  body: `bus.write(${address}, ${value}); ${body}`,
});

const nz = (value: string) => `$n = ${value}; $z = ${value};`;
const next = '$pc = ($pc + 1) & 0xffff;';
const end = '$step = 0;';
const push = '$s = ($s - 1) & 255;';
const pull = '$s = ($s + 1) & 255;';
const compare = (register: string, operand = 'd') =>
  `const t = ${register} - ${operand}; $c = t < 0 ? 0 : 1; $n = t & 255; $z = t & 255;`;

// NMOS decimal mode: Z from the binary sum, N and V before the high digit is corrected.
const add = (d: string) => `if ($d) {
  let low = ($a & 15) + (${d} & 15) + $c;
  if (low > 9) low += 6;
  let high = ($a >> 4) + (${d} >> 4) + (low > 15 ? 1 : 0);
  $z = ($a + ${d} + $c) & 255;
  $n = (high << 4) & 255;
  $v = ((~($a ^ ${d}) & ($a ^ (high << 4))) >> 7) & 1;
  if (high > 9) high += 6;
  $c = high > 15 ? 1 : 0;
  $a = ((high << 4) | (low & 15)) & 255;
} else {
  const sum = $a + ${d} + $c;
  $v = ((~($a ^ ${d}) & ($a ^ sum)) >> 7) & 1;
  $c = sum >> 8;
  $a = sum & 255;
  ${nz('sum & 255')}
}`;
const subtract = (d: string) => `const difference = $a - ${d} - 1 + $c;
const overflow = (($a ^ ${d}) & ($a ^ difference) & 128) >> 7;
if ($d) {
  let low = ($a & 15) - (${d} & 15) - 1 + $c;
  let high = ($a >> 4) - (${d} >> 4);
  if (low & 16) { low -= 6; high -= 1; }
  if (high & 16) high -= 6;
  $a = ((high << 4) | (low & 15)) & 255;
} else {
  $a = difference & 255;
}
$v = overflow;
$c = difference < 0 ? 0 : 1;
${nz('difference & 255')}`;

/** Operations on the byte `d` that was read. */
const reads: Readonly<Record<string, string>> = {
  LDA: `$a = d; ${nz('d')}`,
  LDX: `$x = d; ${nz('d')}`,
  LDY: `$y = d; ${nz('d')}`,
  LAX: `$a = d; $x = d; ${nz('d')}`,
  AND: `const r = $a & d; $a = r; ${nz('r')}`,
  ORA: `const r = $a | d; $a = r; ${nz('r')}`,
  EOR: `const r = $a ^ d; $a = r; ${nz('r')}`,
  ADC: add('d'),
  SBC: subtract('d'),
  CMP: compare('$a'),
  CPX: compare('$x'),
  CPY: compare('$y'),
  BIT: '$n = d; $v = (d >> 6) & 1; $z = $a & d;',
  NOP: '',
  LAS: `const r = $s & d; $a = r; $x = r; $s = r; ${nz('r')}`,
  ANC: `const r = $a & d; $a = r; ${nz('r')} $c = r >> 7;`,
  ALR: `const r = $a & d; $c = r & 1; $a = r >> 1; ${nz('r >> 1')}`,
  ARR: `const r = $a & d;
let shifted = (r >> 1) | ($c << 7);
${nz('shifted')}
if ($d) {
  $v = ((r ^ shifted) >> 6) & 1;
  if ((r & 15) + (r & 1) > 5) shifted = (shifted & 240) | ((shifted + 6) & 15);
  if ((r & 240) + (r & 16) > 80) { $c = 1; shifted = (shifted + 96) & 255; } else $c = 0;
} else {
  $c = (shifted >> 6) & 1;
  $v = ((shifted >> 6) ^ (shifted >> 5)) & 1;
}
$a = shifted;`,
  SBX: `const t = ($a & $x) - d; $c = t < 0 ? 0 : 1; $x = t & 255; ${nz('t & 255')}`,
  ANE: `const magic = $stalled === u ? $aneStalledMagic : $aneMagic; $stalled = 0;
const r = ($a | magic) & $x & d; $a = r; ${nz('r')}`,
  LXA: `const r = ($a | $lxaMagic) & d; $a = r; $x = r; ${nz('r')}`,
};

const stores: Readonly<Record<string, string>> = { STA: '$a', STX: '$x', STY: '$y', SAX: '$a & $x' };

/** Operations that change the byte `m`. */
const modifies: Readonly<Record<string, string>> = {
  ASL: `$c = m >> 7; m = (m << 1) & 255; ${nz('m')}`,
  LSR: `$c = m & 1; m >>= 1; ${nz('m')}`,
  ROL: `const t = (m << 1) | $c; $c = t >> 8; m = t & 255; ${nz('m')}`,
  ROR: `const t = m | ($c << 8); $c = t & 1; m = t >> 1; ${nz('m')}`,
  INC: `m = (m + 1) & 255; ${nz('m')}`,
  DEC: `m = (m - 1) & 255; ${nz('m')}`,
  SLO: `$c = m >> 7; m = (m << 1) & 255; const r = $a | m; $a = r; ${nz('r')}`,
  RLA: `const t = (m << 1) | $c; $c = t >> 8; m = t & 255; const r = $a & m; $a = r; ${nz('r')}`,
  SRE: `$c = m & 1; m >>= 1; const r = $a ^ m; $a = r; ${nz('r')}`,
  RRA: `const t = m | ($c << 8); $c = t & 1; m = t >> 1; ${add('m')}`,
  DCP: `m = (m - 1) & 255; ${compare('$a', 'm')}`,
  ISC: `m = (m + 1) & 255; ${subtract('m')}`,
};

const implied: Readonly<Record<string, string>> = {
  CLC: '$c = 0;',
  SEC: '$c = 1;',
  CLI: '$i = 0;',
  SEI: '$i = 1;',
  CLV: '$v = 0;',
  CLD: '$d = 0;',
  SED: '$d = 1;',
  TAX: `$x = $a; ${nz('$a')}`,
  TAY: `$y = $a; ${nz('$a')}`,
  TXA: `$a = $x; ${nz('$x')}`,
  TYA: `$a = $y; ${nz('$y')}`,
  TSX: `$x = $s; ${nz('$s')}`,
  TXS: '$s = $x;',
  INX: `const r = ($x + 1) & 255; $x = r; ${nz('r')}`,
  INY: `const r = ($y + 1) & 255; $y = r; ${nz('r')}`,
  DEX: `const r = ($x - 1) & 255; $x = r; ${nz('r')}`,
  DEY: `const r = ($y - 1) & 255; $y = r; ${nz('r')}`,
  NOP: '',
};

const branches: Readonly<Record<string, string>> = {
  BPL: '($n & 128) === 0',
  BMI: '($n & 128) !== 0',
  BVC: '$v === 0',
  BVS: '$v !== 0',
  BCC: '$c === 0',
  BCS: '$c !== 0',
  BNE: '$z !== 0',
  BEQ: '$z === 0',
};

const operandToAddress = read('pc', `$address = d; ${next}`);
const operandToPointer = read('pc', `$pointer = d; ${next}`);
const highToAddress = read('pc', `$address |= d << 8; ${next}`);
const stackNext = '$address = 256 | $s;';
const indexed = (register: string, save: boolean) => `const sum = $address + ${register};
$address = (d << 8) | (sum & 255);
$crossing = sum >> 8;
${save ? 'if (sum < 256) $step = u + 2;' : ''}`;
const putRight = read('address', '$address = ($address + ($crossing << 8)) & 0xffff;');

/** The cycles in which the address is found; cycle 0, the opcode fetch, is the same for all. */
function addressing({ mode, pattern }: Opcode): Cycle[] {
  // A read that does not cross a page saves the cycle in which the address is put right.
  const save = pattern === 'read';
  const absolute = (register: string) => [operandToAddress, read('pc', `${next} ${indexed(register, save)}`), putRight];
  const zeropage = (register: string) => [
    operandToAddress,
    read('address', `$address = ($address + ${register}) & 255;`),
  ];
  switch (mode) {
    case 'zeropage':
      return [operandToAddress];
    case 'zeropage,x':
      return zeropage('$x');
    case 'zeropage,y':
      return zeropage('$y');
    case 'absolute':
      return [operandToAddress, highToAddress];
    case 'absolute,x':
      return absolute('$x');
    case 'absolute,y':
      return absolute('$y');
    case '(zeropage,x)':
      return [
        operandToPointer,
        read('pointer', '$pointer = ($pointer + $x) & 255;'),
        read('pointer', '$address = d; $pointer = ($pointer + 1) & 255;'),
        read('pointer', '$address |= d << 8;'),
      ];
    case '(zeropage),y':
      return [
        operandToPointer,
        read('pointer', '$address = d; $pointer = ($pointer + 1) & 255;'),
        read('pointer', indexed('$y', save)),
        putRight,
      ];
    default:
      throw new Error(`no addressing cycles for ${mode}`);
  }
}

const status = (breakFlag: number) =>
  `($n & 128) | ($v << 6) | ${32 + breakFlag * 16} | ($d << 3) | ($i << 2) | ($z === 0 ? 2 : 0) | $c`;
const setStatus = `$n = d; $v = (d >> 6) & 1; $d = (d >> 3) & 1; $i = (d >> 2) & 1; $z = d & 2 ? 0 : 1; $c = d & 1;`;
const onStack = (value: string, more = '') => write('256 | $s', value, `${push} ${more}`);
const pushHigh = onStack('$pc >> 8');
const pushLow = onStack('$pc & 255');
const discard = read('pc');
const toStack = read('pc', stackNext);
const pulled = read('address', `${pull} ${stackNext}`);
const lowByte = read('pc', `$data = d; ${next}`);
const jump = (from: 'pc' | 'address') => read(from, `$pc = $data | (d << 8); ${end}`);
// An NMI that came before the last push takes the sequence over, whatever started it.
const hijack = 'if ($pipe & 0x200) { $nmiLatch = 0; $pipe &= 0xff; $vector = 0xfffa; }';
const vector = [
  read('vector', '$data = d; $i = 1; $vector += 1;'),
  // The sequence does not look at the interrupt lines at its end: one instruction of the handler always runs.
  read(
    'vector',
    `$pc = $data | (d << 8); $pipe &= ~0x202; if ($vector === 0xfffb) $nmiCount += 1; else $irqCount += 1; ${end}`,
  ),
];

const own: Readonly<Record<string, readonly Cycle[]>> = {
  BRK: [read('pc', `${next} $vector = 0xfffe;`), pushHigh, pushLow, onStack(status(1), hijack), ...vector],
  JSR: [read('pc', `$data = d; ${next} ${stackNext}`), read('address'), pushHigh, pushLow, jump('pc')],
  RTS: [
    toStack,
    pulled,
    read('address', `$data = d; ${pull} ${stackNext}`),
    read('address', '$pc = $data | (d << 8);'),
    read('pc', `${next} ${end}`),
  ],
  RTI: [
    toStack,
    pulled,
    read('address', `${pull} ${stackNext} ${setStatus}`),
    read('address', `$data = d; ${pull} ${stackNext}`),
    jump('address'),
  ],
  PHA: [discard, onStack('$a', end)],
  PHP: [discard, onStack(status(1), end)],
  PLA: [toStack, pulled, read('address', `$a = d; ${nz('d')} ${end}`)],
  PLP: [toStack, pulled, read('address', `${setStatus} ${end}`)],
  JMP: [lowByte, jump('pc')],
  JAM: [read('pc', '$jammed = 1; $pc = $instructionPc; $address = 0xffff;'), read('address', '$step = u;')],
  'JMP indirect': [
    operandToAddress,
    highToAddress,
    read('address', '$data = d; $address = ($address & 0xff00) | (($address + 1) & 255);'),
    jump('address'),
  ],
};

// What the last instruction left behind is cleared, so that the state does not depend on how that instruction was run.
const fetch = read(
  'pc',
  `$instructionPc = $pc; $address = 0; $pointer = 0; $data = 0; $crossing = 0; $held = 0;
if ($pipe & 0x404) {
  if ($pipe & 0x400) { $nmiLatch = 0; $pipe &= 0xff; $vector = 0xfffa; } else $vector = 0xfffe;
  $step = ${(interruptRow << 3) | 1};
} else {
  $step = (d << 3) | 1;
  ${next}
}`,
);

function cyclesOf(row: Opcode): readonly Cycle[] {
  const { mnemonic, mode, pattern } = row;
  switch (pattern) {
    case 'own':
      return own[mode === '(absolute)' ? 'JMP indirect' : mnemonic] ?? [];
    case 'branch':
      return [
        read('pc', `$data = d; ${next} if (${branches[mnemonic]}) $held = $pipe & 0x202; else ${end}`),
        // Taken without crossing a page, a branch keeps to what it saw of the interrupt lines in its first cycle.
        read(
          'pc',
          `const target = ($pc + (($data ^ 128) - 128)) & 0xffff;
$address = target;
if (((target ^ $pc) & 0xff00) === 0) { $pipe = ($pipe & ~0x202) | $held; $pc = target; ${end} }
else $pc = ($pc & 0xff00) | (target & 255);`,
        ),
        read('pc', `$pc = $address; ${end}`),
      ];
    case 'implied': {
      const shift = mode === 'accumulator' ? `let m = $a; ${modifies[mnemonic]} $a = m;` : implied[mnemonic];
      return [read('pc', `${shift} ${end}`)];
    }
    case 'read': {
      const operation = reads[mnemonic];
      if (mode === 'immediate') return [read('pc', `${next} ${operation} ${end}`)];
      return [...addressing(row), read('address', `${operation} ${end}`)];
    }
    case 'modify':
      return [
        ...addressing(row),
        read('address', '$data = d;'),
        write('$address', '$data', `let m = $data; ${modifies[mnemonic]} $data = m;`),
        write('$address', '$data', end),
      ];
    case 'write': {
      const value = stores[mnemonic];
      return value ? [...addressing(row), write('$address', value, end)] : unstableStore(row);
    }
  }
}

/** SHA, SHX, SHY, TAS: the high byte gets into the value, unless RDY held the CPU up in the cycle before the write. */
function unstableStore(row: Opcode): Cycle[] {
  const register = row.mnemonic === 'SHX' ? '$x' : row.mnemonic === 'SHY' ? '$y' : '$a & $x';
  const stack = row.mnemonic === 'TAS' ? '$s = $a & $x;' : '';
  return [
    ...addressing(row).slice(0, -1),
    read(
      'address',
      `const value = ${register};
const anded = value & (($address >> 8) + 1);
$data = $stalled === u ? value : anded;
$stalled = 0;
${stack}
if ($crossing) $address = (anded << 8) | ($address & 255);`,
    ),
    write('$address', '$data', end),
  ];
}

const sequences = new Map<number, readonly Cycle[]>(opcodes.map((row) => [row.opcode, [fetch, ...cyclesOf(row)]]));
sequences.set(interruptRow, [fetch, discard, pushHigh, pushLow, onStack(status(0), hijack), ...vector]);
const skipped = read('address', `${push} ${stackNext}`);
sequences.set(resetRow, [
  discard,
  toStack,
  skipped,
  skipped,
  read('address', `${push} $vector = 0xfffc;`),
  read('vector', '$data = d; $i = 1; $vector += 1;'),
  read('vector', `$pc = $data | (d << 8); $pipe = 0; ${end}`),
]);

// Reads first: a micro-op below the border can be held up by RDY, one above it cannot.
const cycles = [...sequences.values()].flat();
const bodiesOf = (isRead: boolean) => [
  ...new Set(cycles.filter(({ from }) => (from !== undefined) === isRead).map(({ body }) => body)),
];
const bodies = [...bodiesOf(true), ...bodiesOf(false)];
const firstWrite = bodiesOf(true).length;

const table: number[] = [];
for (let row = 0; row <= resetRow; row += 1) {
  for (let cycle = 0; cycle < 8; cycle += 1) {
    const { from, body } = sequences.get(row)?.[cycle] ?? fetch;
    table.push(bodies.indexOf(body) | ((from === undefined ? 0 : fields[from]) << 8));
  }
}

const upper = (name: string) => name.replace(/[A-Z]/g, '_$&').toUpperCase();
const expand = (body: string) =>
  body.replace(/\$(\w+)/g, (_, name: string) => {
    if (!(name in fields)) throw new Error(`no field ${name}`);
    return `state[${upper(name)}]`;
  });

const cases = bodies.map((body, index) => {
  const users = opcodes.filter(({ opcode }) =>
    table.slice(opcode * 8 + 1, opcode * 8 + 8).some((op) => (op & 255) === index),
  );
  const names = [...new Set(users.map(({ mnemonic }) => mnemonic))];
  const who = index === 0 ? 'every opcode' : names.length > 8 ? `${names.slice(0, 8).join(' ')} …` : names.join(' ');
  return `// ${who || 'interrupt, reset'}\ncase ${index}: {\n${expand(body)}\nbreak;\n}`;
});

const everywhere = new Set(['irqLine', 'nmiLine', 'rdy', 'step', 'pipe', 'nmiLatch', 'nmiSeen', 'stalled', 'i']);
const constants = Object.entries(fields)
  .filter(([name]) => everywhere.has(name) || cases.some((text) => text.includes(`[${upper(name)}]`)))
  .map(([name, index]) => `const ${upper(name)} = ${index};`);

const source = `// Generated by scripts/generate-6510.ts from opcodes.ts. Do not edit.
import type { Mos6510State } from './registers.ts';

${constants.join('\n')}

const CLI = ${(0x58 << 3) | 1};
const SEI = ${(0x78 << 3) | 1};

/** Each micro-op, by opcode * 8 + cycle: its body in bits 0-7, the word that holds the address it reads in bits 8-15. */
const microOps = new Uint16Array([${table.join(', ')}]);

/** Bodies from here on write; the ones before read and wait while RDY is low. */
const FIRST_WRITE = ${firstWrite};

interface Bus {
  read(address: number): number;
  write(address: number, value: number): void;
}

/** One cycle of the processor: one access on the bus, or none while RDY holds a read up. */
export function cycle(state: Mos6510State, bus: Bus): void {
  const u = state[STEP];
  if (state[NMI_LINE] !== state[NMI_SEEN]) {
    state[NMI_SEEN] = state[NMI_LINE];
    if (state[NMI_LINE]) state[NMI_LATCH] = 1;
  }
  const before = state[PIPE];
  const pipe = ((before << 1) & 0x606) | (state[IRQ_LINE] & ~state[I]) | (state[NMI_LATCH] << 8);
  const op = microOps[u];
  const body = op & 255;
  if (body >= FIRST_WRITE) {
    state[PIPE] = pipe;
    state[STEP] = u + 1;
    writeCycle(state, bus, body);
    return;
  }
  if (state[RDY] === 0) {
    state[STALLED] = u;
    // The lines are watched while the CPU waits, but what decides about the next opcode was seen before its fetch.
    if ((u & 7) === 0) return;
    if (u === CLI) state[PIPE] = pipe | state[IRQ_LINE];
    else if (u === SEI) state[PIPE] = (pipe & 0x700) | (before & 7);
    else state[PIPE] = pipe;
    return;
  }
  const d = bus.read(state[(op >> 8) as typeof PC]);
  state[PIPE] = pipe;
  state[STEP] = u + 1;
  switch (body) {
${cases.slice(0, firstWrite).join('\n')}
  }
}

/** The address the next cycle reads from, or -1 if it writes. */
export function nextRead(state: Mos6510State): number {
  const op = microOps[state[STEP]];
  return (op & 255) < FIRST_WRITE ? state[(op >> 8) as typeof PC] : -1;
}

function writeCycle(state: Mos6510State, bus: Bus, body: number): void {
  switch (body) {
${cases.slice(firstWrite).join('\n')}
  }
}
`;

/** What whole instructions have in registers of their own: fields of the state as local variables. */
const locals = ['a', 'x', 'y', 's', 'pc', 'n', 'z', 'c', 'v', 'd', 'i'] as const;
const localName = (name: string) => (name === 'd' ? 'decimal' : name);
const inLocals = (body: string) =>
  body.replace(/\$(\w+)/g, (_, name: string) => {
    if (!locals.some((each) => each === name)) throw new Error(`no local ${name}`);
    return localName(name);
  });

/** Leaves the instruction to the cycles: it would touch something that is not plain memory. */
const leaveUnless = (condition: string) => `if (!(${condition})) break run;`;

/** What differs between instructions that nobody looks at and those that somebody does. */
interface Style {
  /** Whether a place of the zero page is no plain memory, and whether both bytes of a pointer are. */
  isSpecial(address: string): string;
  readonly isPlainPointer: string;
  /** Reads in vain at a place of the zero page, which somebody may want to see. */
  vainLow(address: string): string;
  /** The same at the address of an indexed write. */
  readonly vainRead: string;
  /** Before an instruction that uses the stack. */
  readonly stack: string;
  /** Before an access that is seen: whoever sees it may ask for registers. */
  readonly spill: string;
  /** An instruction that changes a place of the zero page, where that is no plain memory; it has so many bytes and cycles. */
  seenModify(operation: string, length: number, cycles: number): string;
}

const allInState = locals.map((name) => `state[${upper(name)}] = ${localName(name)};`).join(' ');

const plainStyle: Style = {
  isSpecial: (address) => `${address} < 2`,
  isPlainPointer: 'pointer > 1 && pointer < 255',
  vainLow: () => '',
  vainRead: '',
  stack: '',
  spill: '',
  seenModify: () => leaveUnless('address > 1'),
};

const observedStyle: Style = {
  isSpecial: (address) => `low[${address}] !== 0`,
  isPlainPointer: 'pointer < 255 && low[pointer] === 0 && low[pointer + 1] === 0',
  vainLow: (address) => leaveUnless(`low[${address}] === 0`),
  vainRead: leaveUnless('reads[address >> 8] >= 0'),
  stack: leaveUnless('!isStackWatched'),
  spill: `if (isOutside) { ${allInState} state[INSTRUCTION_PC] = start; }`,
  seenModify: (operation, length, cycles) => `if (low[address] !== 0) {
${leaveUnless('address > 1')}
${advance(length, cycles)}
${allInState} state[INSTRUCTION_PC] = start;
let m = bus.readBackAt(address, budget - left);
${operation}
${allInState}
bus.writeAfter(address, m);
instructionPc = start;
break run;
}`,
};

const operandByte = 'memory[at + 1]';

const pointerAt = (pointer: string, style: Style) => `const pointer = ${pointer};
${leaveUnless(style.isPlainPointer)}
const base16 = memory[pointer] | (memory[pointer + 1] << 8);`;

/** How the address is found, with its length and the cycles up to and including the access. */
function wholeAddress(
  { mode, pattern }: Opcode,
  style: Style,
): { text: string; length: number; cycles: number; zeropage: boolean } {
  const operand16 = 'memory[at + 1] | (memory[at + 2] << 8)';
  // The wrong page is read first when the index crosses into the next, and by writes in any case.
  const indexed = (register: string) => `const address = (base16 + ${register}) & 0xffff;
const crossed = (address ^ base16) > 255 ? 1 : 0;
${leaveUnless('crossed === 0 || reads[base16 >> 8] >= 0')}
${pattern === 'read' ? 'left -= crossed;' : ''}`;
  const extra = pattern === 'read' ? 0 : 1;
  switch (mode) {
    case 'zeropage':
      return { text: `const address = ${operandByte};`, length: 2, cycles: 3, zeropage: true };
    case 'zeropage,x':
    case 'zeropage,y': {
      const register = mode.slice(-1);
      return {
        text: `${style.vainLow(operandByte)}\nconst address = ((${operandByte}) + ${register}) & 255;`,
        length: 2,
        cycles: 4,
        zeropage: true,
      };
    }
    case 'absolute':
      return { text: `const address = ${operand16};`, length: 3, cycles: 4, zeropage: false };
    case 'absolute,x':
    case 'absolute,y':
      return {
        text: `const base16 = ${operand16};\n${indexed(mode.slice(-1))}`,
        length: 3,
        cycles: 4 + extra,
        zeropage: false,
      };
    case '(zeropage,x)': {
      const pointer = pointerAt(`((${operandByte}) + x) & 255`, style);
      return {
        text: `${style.vainLow(operandByte)}\n${pointer}\nconst address = base16;`,
        length: 2,
        cycles: 6,
        zeropage: false,
      };
    }
    case '(zeropage),y':
      return {
        text: `${pointerAt(operandByte, style)}\n${indexed('y')}`,
        length: 2,
        cycles: 5 + extra,
        zeropage: false,
      };
    default:
      throw new Error(`no whole address for ${mode}`);
  }
}

const advance = (length: number, cycles: number) => `pc += ${length}; left -= ${cycles};`;
/** An access to something that is no plain memory is the last thing in a run: what it does decides how things go on. */
const stopAfterwards = 'if (isOutside) { instructionPc = start; break run; }';
const checkedRead = `const from = reads[address >> 8];\n${leaveUnless('from >= 0')}`;
const checkedWrite = `const to = writes[address >> 8];\n${leaveUnless('to >= 0')}`;

/** An opcode as a whole, or undefined where the cycles have to do it. */
function wholeInstruction(row: Opcode, style: Style): string | undefined {
  const { mnemonic, mode, pattern, documented, cycles: least } = row;
  if (!documented) return undefined;
  switch (pattern) {
    case 'own': {
      const own = wholeOwn[mode === '(absolute)' ? 'JMP indirect' : mnemonic];
      return own === undefined || mnemonic === 'JMP' ? own : `${style.stack}\n${own}`;
    }
    case 'branch':
      return `if (${branches[mnemonic]}) {
  const next = pc + 2;
  pc = (next + (((${operandByte}) ^ 128) - 128)) & 0xffff;
  left -= ((next ^ pc) & 0xff00) === 0 ? 3 : 4;
} else { ${advance(2, 2)} }`;
    case 'implied':
      // Interrupts may be waiting for CLI.
      if (mnemonic === 'CLI') return undefined;
      if (mode === 'accumulator') return `let m = a; ${modifies[mnemonic]} a = m; ${advance(1, 2)}`;
      return `${implied[mnemonic]} ${advance(1, 2)}`;
    case 'read': {
      if (mode === 'immediate') return `const d = memory[at + 1]; ${reads[mnemonic]} ${advance(2, least)}`;
      const { text, length, cycles, zeropage } = wholeAddress(row, style);
      const isOutside = zeropage ? style.isSpecial('address') : 'reads[address >> 8] < 0';
      const place = zeropage ? 'address' : 'reads[address >> 8] + address';
      return `${text}
const isOutside = ${isOutside};
${advance(length, cycles)}
${style.spill}
const d = isOutside ? bus.readAt(address, budget - left) : memory[${place}];
${reads[mnemonic]}
${stopAfterwards}`;
    }
    case 'write': {
      const { text, length, cycles, zeropage } = wholeAddress(row, style);
      if (text.includes('crossed')) {
        return `${text}\n${style.vainRead}\n${checkedWrite}\nmemory[to + address] = ${stores[mnemonic]};\n${advance(length, cycles)}`;
      }
      const isOutside = zeropage ? style.isSpecial('address') : 'writes[address >> 8] < 0';
      const place = zeropage ? 'address' : 'writes[address >> 8] + address';
      return `${text}
const isOutside = ${isOutside};
${advance(length, cycles)}
${style.spill}
if (isOutside) bus.writeAt(address, ${stores[mnemonic]}, budget - left);
else memory[${place}] = ${stores[mnemonic]};
${stopAfterwards}`;
    }
    case 'modify': {
      const { text, length, cycles, zeropage } = wholeAddress(row, style);
      const access = zeropage
        ? `${style.seenModify(modifies[mnemonic] ?? '', length, cycles + 2)}\nlet m = memory[address]; ${modifies[mnemonic]} memory[address] = m;`
        : `${checkedRead}\n${checkedWrite}\nlet m = memory[from + address]; ${modifies[mnemonic]} memory[to + address] = m;`;
      return `${text}\n${access}\n${advance(length, cycles + 2)}`;
    }
  }
}

const wholeOwn: Readonly<Record<string, string>> = {
  JMP: `pc = (${operandByte}) | (memory[at + 2] << 8); left -= 3;`,
  'JMP indirect': `const address = (${operandByte}) | (memory[at + 2] << 8);
${checkedRead}
const first = memory[from + address];
pc = first | (memory[from + ((address & 0xff00) | ((address + 1) & 255))] << 8);
left -= 5;`,
  JSR: `const back = pc + 2;
memory[256 | s] = back >> 8; s = (s - 1) & 255;
memory[256 | s] = back & 255; s = (s - 1) & 255;
pc = (${operandByte}) | (memory[at + 2] << 8); left -= 6;`,
  RTS: `const bottom = memory[256 | ((s + 1) & 255)];
const back = bottom | (memory[256 | ((s + 2) & 255)] << 8);
${leaveUnless('reads[back >> 8] >= 0')}
s = (s + 2) & 255; pc = (back + 1) & 0xffff; left -= 6;`,
  PHA: 'memory[256 | s] = $a; s = (s - 1) & 255; pc += 1; left -= 3;',
  PHP: `memory[256 | s] = ${status(1)}; s = (s - 1) & 255; pc += 1; left -= 3;`,
  PLA: `s = (s + 1) & 255; const d = memory[256 | s]; $a = d; ${nz('d')} pc += 1; left -= 4;`,
};

/** Whether an address, or the program, lies on the half of the VIC-20's bus that the VIC shares: $0000-$1FFF and $8000-$9FFF. */
const isShared = (address: string) => `((${address}) & 0x6000) === 0`;
const sawShared = (address: string, byte: string) =>
  `if (${isShared(address)}) { seen = ${byte}; seenAddress = ${address}; }`;
const wroteShared = (address: string, byte: string) => `if (${isShared(address)}) seen = ${byte};`;
/** What an instruction sees counts only when it is through: it may still be left to the cycles. */
const look = 'let seen = video;\nlet seenAddress = videoAddress;';
const keep = 'video = seen;\nvideoAddress = seenAddress;';
/** The next opcode has to be fetched from plain memory on the same half of the bus. */
const staysHere = (target: string) => leaveUnless(`reads[${target} >> 8] >= 0 && (${isShared(target)}) === isVideoPc`);

/** The address as in `wholeAddress`, with all that passes over the bus meanwhile. `last` is the byte before the access. */
function busAddress({ mode, pattern }: Opcode): { text: string; length: number; cycles: number; zeropage: boolean } {
  const operand16 = 'memory[at + 1] | (memory[at + 2] << 8)';
  const fromProgram = 'if (isVideoPc) { seen = last; seenAddress = start + 2; }';
  const pointed = (pointer: string) => `const pointer = ${pointer};
${leaveUnless('pointer < 255')}
const base16 = memory[pointer] | (memory[pointer + 1] << 8);
let last = base16 >> 8;
seen = last;
seenAddress = pointer + 1;`;
  const wrongPage = `const wrong = (base16 & 0xff00) | (address & 255);
${leaveUnless('reads[base16 >> 8] >= 0')}
last = memory[reads[base16 >> 8] + wrong];
${sawShared('wrong', 'last')}`;
  const indexed = (register: string) => `const address = (base16 + ${register}) & 0xffff;
${pattern === 'read' ? `if ((address ^ base16) > 255) {\n${wrongPage}\nleft -= 1;\n}` : wrongPage}`;
  const extra = pattern === 'read' ? 0 : 1;
  switch (mode) {
    case 'zeropage':
      return { text: `const address = ${operandByte};`, length: 2, cycles: 3, zeropage: true };
    case 'zeropage,x':
    case 'zeropage,y':
      return {
        text: `videoAddress = memory[at + 1];\nconst address = (videoAddress + ${mode.slice(-1)}) & 255;`,
        length: 2,
        cycles: 4,
        zeropage: true,
      };
    case 'absolute':
      return {
        text: `const address = ${operand16};\nconst last = address >> 8;\n${fromProgram}`,
        length: 3,
        cycles: 4,
        zeropage: false,
      };
    case 'absolute,x':
    case 'absolute,y':
      return {
        text: `const base16 = ${operand16};\nlet last = base16 >> 8;\n${fromProgram}\n${indexed(mode.slice(-1))}`,
        length: 3,
        cycles: 4 + extra,
        zeropage: false,
      };
    case '(zeropage,x)': {
      const text = `${pointed('(memory[at + 1] + x) & 255').replace('let last', 'const last')}\nconst address = base16;`;
      return { text, length: 2, cycles: 6, zeropage: false };
    }
    case '(zeropage),y':
      return {
        text: `${pointed('memory[at + 1]')}\n${indexed('y')}`,
        length: 2,
        cycles: 5 + extra,
        zeropage: false,
      };
    default:
      throw new Error(`no address on the bus for ${mode}`);
  }
}

/** The same for a 6502 whose bus can be seen: what was last on it is kept. */
function busInstruction(row: Opcode): string | undefined {
  const { mnemonic, mode, pattern, documented } = row;
  if (!documented) return undefined;
  if (pattern === 'own') return busOwn[mode === '(absolute)' ? 'JMP indirect' : mnemonic];
  if (pattern === 'branch') {
    return `if (${branches[mnemonic]}) {
  const next = pc + 2;
  const target = (next + ((memory[at + 1] ^ 128) - 128)) & 0xffff;
  ${leaveUnless('((next ^ target) & 0xff00) === 0')}
  pc = target;
  left -= 3;
} else { ${advance(2, 2)} }`;
  }
  if (pattern === 'implied' || mode === 'immediate') return wholeInstruction(row, plainStyle);
  const { text: place, length, cycles, zeropage } = busAddress(row);
  const text = zeropage ? place : `${look}\n${place}`;
  if (pattern === 'read') {
    if (zeropage) {
      return `${text}\n${advance(length, cycles)}\nconst d = memory[address];\nvideo = d;\nvideoAddress = address;\n${reads[mnemonic]}`;
    }
    return `${text}
const isOutside = reads[address >> 8] < 0;
${advance(length, cycles)}
${observedStyle.spill}
const d = isOutside ? bus.readAt(address, budget - left, last, seen, seenAddress) : memory[reads[address >> 8] + address];
${sawShared('address', 'd')}
${keep}
${reads[mnemonic]}
${stopAfterwards}`;
  }
  if (pattern === 'write') {
    const value = stores[mnemonic] ?? '';
    if (zeropage) return `${text}\nvideo = ${value};\nmemory[address] = video;\n${advance(length, cycles)}`;
    if (text.includes('wrong')) {
      return `${text}\n${checkedWrite}\nmemory[to + address] = ${value};\n${wroteShared('address', value)}\n${keep}\n${advance(length, cycles)}`;
    }
    return `${text}
const isOutside = writes[address >> 8] < 0;
${advance(length, cycles)}
${observedStyle.spill}
if (isOutside) bus.writeAt(address, ${value}, budget - left);
else memory[writes[address >> 8] + address] = ${value};
${wroteShared('address', value)}
${keep}
${stopAfterwards}`;
  }
  const modified = zeropage
    ? `let m = memory[address]; ${modifies[mnemonic]} memory[address] = m; video = m; videoAddress = address;`
    : `${checkedRead}\n${checkedWrite}\nlet m = memory[from + address]; ${modifies[mnemonic]} memory[to + address] = m; ${sawShared('address', 'm')}\n${keep}`;
  return `${text}\n${modified}\n${advance(length, cycles + 2)}`;
}

const busOwn: Readonly<Record<string, string>> = {
  JMP: `const target = memory[at + 1] | (memory[at + 2] << 8);
${staysHere('target')}
pc = target; left -= 3;`,
  'JMP indirect': `${look}
const address = memory[at + 1] | (memory[at + 2] << 8);
${checkedRead}
const second = (address & 0xff00) | ((address + 1) & 255);
const high = memory[from + second];
const target = memory[from + address] | (high << 8);
${staysHere('target')}
${sawShared('second', 'high')}
${keep}
pc = target; left -= 5;`,
  JSR: `const target = memory[at + 1] | (memory[at + 2] << 8);
${staysHere('target')}
const back = pc + 2;
videoAddress = 256 | s;
video = back & 255;
memory[256 | s] = back >> 8; s = (s - 1) & 255;
memory[256 | s] = video; s = (s - 1) & 255;
pc = target; left -= 6;`,
  RTS: `const high = memory[256 | ((s + 2) & 255)];
const back = memory[256 | ((s + 1) & 255)] | (high << 8);
const target = (back + 1) & 0xffff;
${leaveUnless('reads[back >> 8] >= 0')}
${staysHere('target')}
s = (s + 2) & 255; video = high; videoAddress = 256 | s; pc = target; left -= 6;`,
  PHA: 'video = $a; memory[256 | s] = video; s = (s - 1) & 255; pc += 1; left -= 3;',
  PHP: `video = ${status(1)}; memory[256 | s] = video; s = (s - 1) & 255; pc += 1; left -= 3;`,
  PLA: `s = (s + 1) & 255; const d = memory[256 | s]; video = d; videoAddress = 256 | s; $a = d; ${nz('d')} pc += 1; left -= 4;`,
};

interface WholeFunction {
  /** An opcode as a whole, or undefined where the cycles have to do it. */
  readonly whole: (row: Opcode) => string | undefined;
  readonly imports: string;
  readonly about: string;
  readonly name: string;
  readonly bus?: string;
  readonly parameters: string;
  /** Once at the beginning, before each instruction, and once at the end. */
  readonly begin: string;
  readonly look: string;
  readonly end: string;
}

const wholesIn = (whole: WholeFunction['whole']) =>
  opcodes.flatMap((row) => {
    const text = whole(row);
    if (text === undefined) return [];
    const lines = text.split('\n').filter((line) => line !== '');
    return [`// ${row.mnemonic} ${row.mode}\ncase ${row.opcode}: {\n${inLocals(lines.join('\n'))}\nbreak;\n}`];
  });
const longestOf = (whole: WholeFunction['whole']) =>
  opcodes.map((row) => {
    if (whole(row) === undefined) return 255;
    const { mode, pattern, cycles } = row;
    if (pattern === 'branch') return cycles + 2;
    const mayCross = pattern === 'read' && /^absolute,|,y$/.test(mode) && !mode.startsWith('zeropage');
    return cycles + (mayCross ? 1 : 0);
  });
const wholeConstants = [...locals, 'instructionPc', 'step'].map((name) => {
  const index = fields[name as keyof typeof fields];
  return `const ${upper(name)} = ${index};`;
});

const wholeSource = ({
  whole,
  imports,
  about,
  name,
  bus = 'TimedBus',
  parameters,
  begin,
  look,
  end,
}: WholeFunction) => `// Generated by scripts/generate-6510.ts from opcodes.ts. Do not edit.
${imports}

${wholeConstants.join('\n')}

/** The most cycles that each opcode can take; those that are not here never have time enough. */
const longest = new Uint8Array([${longestOf(whole).join(', ')}]);

${about}
export function ${name}(
  state: Mos6510State,
  memory: Uint8Array,
  reads: Int32Array,
  writes: Int32Array,
  budget: number,
  bus: ${bus},${parameters}
): number {
${locals.map((each) => `let ${localName(each)} = state[${upper(each)}];`).join('\n')}
  let instructionPc = state[INSTRUCTION_PC];
  let left = budget;
${begin}  run: for (;;) {
${look}    const base = reads[pc >> 8];
    // Near the end of a page its bytes, and the one behind it that is read in vain, may be elsewhere.
    if (base < 0 || (pc & 255) > 0xfc) break;
    const at = base + pc;
    const start = pc;
    const opcode = memory[at];
    if (left < longest[opcode]) break;
    switch (opcode) {
${wholesIn(whole).join('\n')}
default:
break run;
    }
    instructionPc = start;
  }
  if (left === budget) return 0;
${locals.map((each) => `state[${upper(each)}] = ${localName(each)};`).join('\n')}
  state[INSTRUCTION_PC] = instructionPc;
  state[STEP] = 0;
${end}  return budget - left;
}
`;

const plainInstruction = (row: Opcode) => wholeInstruction(row, plainStyle);

const instructionsSource = wholeSource({
  whole: plainInstruction,
  imports: "import type { Mos6510State } from './registers.ts';",
  about: `/** What is not plain memory; \`cycle\` says in which cycle of the run the access happens, the first being 1. */
export interface TimedBus {
  readAt(address: number, cycle: number): number;
  writeAt(address: number, value: number, cycle: number): void;
}

/**
 * Runs whole instructions, each as if its cycles had been run, while they are sure to end within \`budget\` cycles and touch
 * plain memory only, or something else in their last cycle; such an access ends the run. Stops before other instructions. The
 * answer is the cycles used. For the caller to see to: the next cycle fetches an opcode, RDY is high,
 * no interrupt is on its way, and neither lines nor memory change from outside meanwhile.
 *
 * \`reads\` and \`writes\`: by the upper half of an address, what to add to it for the index into \`memory\`, or -1 where that
 * is not plain memory; both are -1 for the zero page, whose places 0 and 1 are not memory. Zero page and stack are at 0.
 */`,
  name: 'runInstructions',
  parameters: '',
  begin: '',
  look: '',
  end: '',
});

const lookInLoop = `    if (left !== budget) {
      if (code[pc] !== 0) break;
      if (asks !== undefined) {
        ${allInState}
        if (asks()) break;
      }
    }
`;

const observedSource = wholeSource({
  whole: (row) => wholeInstruction(row, observedStyle),
  imports: `import type { TimedBus } from './instructions.generated.ts';
import type { Mos6510State } from './registers.ts';`,
  about: `/** What somebody wants to see of a run. */
export interface Watched {
  /** By address: not 0 where the run has to stop before an instruction. */
  readonly code: Uint8Array;
  /** By address in the zero page: not 0 where it is no plain memory (0 and 1 are not), or somebody wants to see accesses. */
  readonly low: Uint8Array;
  /** Nobody touches the stack unseen. */
  readonly isStackWatched: boolean;
  /** Asked before each instruction but the first, with the registers in the state: whether the run has to stop there. */
  readonly asks?: (() => boolean) | undefined;
}

/** Where accesses are seen. An instruction that changes a byte reads it, writes it back as it was, and writes what it has become. */
export interface SeenBus extends TimedBus {
  /** The first two of these; \`cycle\` is that of the third. */
  readBackAt(address: number, cycle: number): number;
  /** The third, in the cycle after the second. */
  writeAfter(address: number, value: number): void;
}

/**
 * As \`runInstructions\`, for somebody who looks on: stops before instructions that are marked, except the first, and touches
 * nothing unseen. Pages whose accesses somebody wants to see are -1 in \`reads\` or \`writes\`. When such an access is made the
 * registers are in the state.
 */`,
  name: 'runObservedInstructions',
  bus: 'SeenBus',
  parameters: '\n  { code, low, isStackWatched, asks }: Watched,',
  begin: '',
  look: lookInLoop,
  end: '',
});

const busSource = wholeSource({
  whole: busInstruction,
  imports: "import type { Mos6510State } from './registers.ts';",
  about: `/** As in \`runInstructions\`; a read also gets what was left on the bus, and on its shared half. */
interface TimedBus {
  readAt(address: number, cycle: number, last: number, shared: number, sharedAddress: number): number;
  writeAt(address: number, value: number, cycle: number): void;
}

/**
 * Runs whole instructions as \`runInstructions\` does, for a 6502 without a port, on a board whose bus has two halves that keep the
 * last byte they had: one of the processor alone, and one that it shares with the VIC ($0000-$1FFF, $8000-$9FFF).
 *
 * \`shared\` are two words: the last byte on the shared half, and the address of the last read there. They are kept while the program
 * itself is on the other half; on the shared one its own next byte is the last in any case. \`code\`: by address, not 0 where the run has
 * to stop before an instruction, except the first; \`asks\`: the same, asked each time, with the registers in the state. When an access is made to what is no plain memory the registers are in the state.
 */`,
  name: 'runInstructionsOnBus',
  parameters: '\n  shared: Int32Array,\n  code: Uint8Array,\n  asks: (() => boolean) | undefined,',
  begin: `  const isVideoPc = ${isShared('pc')};
  let video = shared[0];
  let videoAddress = shared[1];
`,
  look: lookInLoop,
  end: `  if (!isVideoPc) {
    shared[0] = video;
    shared[1] = videoAddress;
  }
`,
});

let isStale = false;
for (const [path, text] of [
  [cyclesPath, source],
  [instructionsPath, instructionsSource],
  [observedPath, observedSource],
  [busInstructionsPath, busSource],
] as const) {
  const formatted = spawnSync('npx', ['biome', 'format', `--stdin-file-path=${path}`], {
    input: text,
    encoding: 'utf8',
  });
  if (formatted.status !== 0) {
    console.error(formatted.stderr);
    process.exit(1);
  }
  const stale = !existsSync(path) || readFileSync(path, 'utf8') !== formatted.stdout;
  isStale ||= stale;
  if (stale && process.argv.includes('--check')) {
    console.error(`stale: ${path}. Run npx tsx scripts/generate-6510.ts and commit the result.`);
  } else if (stale) writeFileSync(path, formatted.stdout);
}
if (process.argv.includes('--check')) process.exit(isStale ? 1 : 0);
console.log(
  `${bodies.length} micro-ops, ${firstWrite} of them reads; ${wholesIn(plainInstruction).length} whole instructions`,
);
