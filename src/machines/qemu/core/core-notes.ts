import type { CoreFile, CoreNote } from '../../../formats/elf/core-file.ts';
import { lowerHex } from '../../../formats/hex.ts';
import type { TargetRegister } from '../../../links/gdb/target-description.ts';
import type { CoreProcessor, CoreState } from './core-state.ts';

const maxProcessors = 256;
const [status, ownNote] = [1, 0];
const longMode = 0x500n;

/** Where a processor family keeps its registers in the note of each processor, in this order. */
interface Family {
  readonly arch: string;
  readonly architecture: string;
  readonly names: string;
  readonly bytes: 4 | 8;
  readonly at: number;
  /** Registers that are narrower than their place. */
  readonly narrow?: readonly string[];
}

const riscvNames = 'pc ra sp gp tp t0 t1 t2 fp s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 t3 t4 t5 t6';
const numbered = (letter: string, last: number) =>
  Array.from({ length: last + 1 }, (_, n) => `${letter}${n}`).join(' ');

const families: Readonly<Record<string, Family>> = {
  '183 64': {
    arch: 'aarch64',
    architecture: 'aarch64',
    names: `${numbered('x', 30)} sp pc cpsr`,
    bytes: 8,
    at: 112,
    narrow: ['cpsr'],
  },
  '40 32': { arch: 'arm', architecture: 'arm', names: `${numbered('r', 12)} sp lr pc cpsr`, bytes: 4, at: 72 },
  '243 64': { arch: 'riscv64', architecture: 'riscv:rv64', names: riscvNames, bytes: 8, at: 112 },
  '243 32': { arch: 'riscv32', architecture: 'riscv:rv32', names: riscvNames, bytes: 4, at: 72 },
};
const [x86, x86Long] = [3, 62];

/** From the notes that QEMU writes for every debugger. Throws a RangeError for processors that are not known here. */
export function stateFromNotes({ machine, wide, notes }: CoreFile): CoreState {
  const common = {
    selected: 0,
    pieces: [],
    log: { exceptions: [], past: [], count: 0, isOn: false },
    timeMs: undefined,
    isWhole: false,
  };
  if (machine === x86 || machine === x86Long) return { ...common, ...x86State(notes, machine === x86Long) };
  const family = families[`${machine} ${wide ? 64 : 32}`];
  if (!family) throw new RangeError(`it is of processor family ${machine}; x86, ARM and RISC-V are read`);
  const names = family.names.split(' ');
  const registers = names.map((name, number) =>
    registerOf(name, number, family.narrow?.includes(name) ? 4 : family.bytes),
  );
  const processors = notes
    .filter(({ owner, type }) => owner === 'CORE' && type === status)
    .map(({ bytes }): CoreProcessor => {
      if (bytes.length < family.at + names.length * family.bytes) throw new RangeError('a processor in it is cut off');
      const parts = registers.map(({ number, bits }) => {
        const at = family.at + number * family.bytes;
        return bytes.subarray(at, at + bits / 8);
      });
      return { general: Buffer.concat(parts), others: new Map(), monitor: '' };
    });
  const description = { architecture: family.architecture, registers, flags: new Map() };
  return { ...common, arch: family.arch, description, processors: limited(processors) };
}

function registerOf(name: string, number: number, bytes: number): TargetRegister {
  return { name, number, bits: bytes * 8, type: 'int', feature: '', group: '' };
}

function limited(processors: readonly CoreProcessor[]): readonly CoreProcessor[] {
  if (processors.length === 0) throw new RangeError('no processor is in it');
  if (processors.length > maxProcessors) throw new RangeError(`it has more than ${maxProcessors} processors`);
  return processors;
}

/** QEMU's own note has control registers and segments; EFER follows from what kind of file it is. */
const generalNames = 'rax rbx rcx rdx rsi rdi rsp rbp r8 r9 r10 r11 r12 r13 r14 r15 rip eflags'.split(' ');
const narrowNames = 'eax ebx ecx edx esi edi esp ebp'.split(' ');
const segmentNames = ['cs', 'ds', 'es', 'fs', 'gs', 'ss'];
const tables = ['ldt', 'tr', 'gdt', 'idt'];
const controls = ['cr0', 'cr1', 'cr2', 'cr3', 'cr4'];
const [segmentsAt, segmentBytes, controlsAt] = [152, 24, 392];
const leastBytes = controlsAt + 40;

function x86State(notes: readonly CoreNote[], long: boolean) {
  const general = long ? generalNames : [...narrowNames, 'eip', 'eflags'];
  const wordBytes = long ? 8 : 4;
  const shown: readonly (readonly [name: string, bytes: number])[] = [
    ...general.map((name) => [name, name === 'eflags' ? 4 : wordBytes] as const),
    ...segmentNames.map((name) => [name, 4] as const),
    ['fs_base', wordBytes],
    ['gs_base', wordBytes],
    ...(long ? [['k_gs_base', 8] as const] : []),
    ...['cr0', 'cr2', 'cr3', 'cr4', 'efer'].map((name) => [name, wordBytes] as const),
  ];
  const registers = shown.map(([name, bytes], number) => registerOf(name, number, bytes));
  const processors = notes
    .filter(({ owner, type }) => owner === 'QEMU' && type === ownNote)
    .map(({ bytes }): CoreProcessor => {
      if (bytes.length < leastBytes) throw new RangeError('a processor in it is cut off');
      const values = x86Values(bytes, long);
      const parts = registers.map(({ name, bits }) => little(values.get(name) ?? 0n, bits / 8));
      return { general: Buffer.concat(parts), others: new Map(), monitor: monitorText(bytes) };
    });
  const architecture = long ? 'i386:x86-64' : 'i386';
  return {
    arch: long ? 'x86_64' : 'i386',
    description: { architecture, registers, flags: new Map() },
    processors: limited(processors),
  };
}

function x86Values(bytes: Uint8Array, long: boolean): Map<string, bigint> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const values = new Map<string, bigint>();
  generalNames.forEach((name, n) => {
    const value = view.getBigUint64(8 + 8 * n, true);
    values.set(name, value);
    if (name !== 'eflags')
      values.set(n < narrowNames.length ? `e${name.slice(1)}` : name === 'rip' ? 'eip' : name, value);
  });
  segmentNames.forEach((name, n) => {
    const at = segmentsAt + n * segmentBytes;
    values.set(name, BigInt(view.getUint32(at, true)));
    if (name === 'fs' || name === 'gs') values.set(`${name}_base`, view.getBigUint64(at + 16, true));
  });
  for (const [n, name] of controls.entries()) values.set(name, view.getBigUint64(controlsAt + 8 * n, true));
  if (bytes.length >= leastBytes + 8) values.set('k_gs_base', view.getBigUint64(leastBytes, true));
  values.set('efer', long ? longMode : 0n);
  return values;
}

/** As the monitor of a running QEMU writes it, of what is asked for here. */
function monitorText(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const lines = [...segmentNames, ...tables].map((name, n) => {
    const at = segmentsAt + n * segmentBytes;
    const [selector, limit, flags] = [
      view.getUint32(at, true),
      view.getUint32(at + 4, true),
      view.getUint32(at + 8, true),
    ];
    const base = lowerHex(view.getBigUint64(at + 16, true), 16);
    const label = name.toUpperCase().padEnd(3);
    if (name === 'gdt' || name === 'idt') return `${label}=     ${base} ${lowerHex(limit, 8)}`;
    const width = (flags >> 21) & 1 ? 64 : (flags >> 22) & 1 ? 32 : 16;
    const kind = name === 'cs' ? ` DPL=${(flags >> 13) & 3} CS${width}` : '';
    return `${label}=${lowerHex(selector & 0xffff, 4)} ${base} ${lowerHex(limit, 8)} ${lowerHex(flags, 8)}${kind}`;
  });
  return `${lines.join('\n')}\n`;
}

function little(value: bigint, bytes: number): Uint8Array {
  const part = new Uint8Array(8);
  new DataView(part.buffer).setBigUint64(0, value, true);
  return part.subarray(0, bytes);
}
