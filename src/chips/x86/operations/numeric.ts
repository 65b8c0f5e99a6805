import { numericForms } from '../../x87/forms.ts';
import { bitsOf, Real, setBits } from '../../x87/real.ts';
import type { X87 } from '../../x87/x87.ts';
import type { Core } from '../core.ts';
import { faultVectors } from '../fault-vectors.ts';
import type { Instruction } from '../instruction.ts';
import { control, fields, toBase } from '../registers.ts';
import { quickEscape, quickStatus } from './numeric-text.ts';
import type { Call, Operation } from './operation.ts';
import { look } from './system.ts';

const monitorCoprocessor = 2;
const emulateCoprocessor = 4;
const taskSwitched = 8;
const segmentOverrun = 9;

/** They leave no trace of where they stood. */
const controlling = new Set(
  'fldcw fnstcw fnstsw fnstenv fldenv fnsave frstor fnclex fninit fneni fndisi fnsetpm'.split(' '),
);
/** What it costs to ask the coprocessor, in rounds of a string instruction. */
const escapeRounds = 20;
/** Computed with so many bits that it costs this. */
const functionRounds = 1000;
/** They look at no exception that is under way. */
const unwaiting = new Set('fninit fnclex fnstcw fnstsw fnstenv fnsave fneni fndisi fnsetpm'.split(' '));
const summary = 0x80;
const functions = new Set('fsin fcos fsincos fptan fpatan f2xm1 fyl2x fyl2xp1'.split(' '));
const storing = new Set('fst fstp fist fistp fbstp fnstcw fnstsw'.split(' '));

/** The coprocessor, if there is one and it may be used. */
function coprocessorOf(core: Core): X87 | null {
  if (core.rules.generation >= 2 && core.word(fields.cr0) & (emulateCoprocessor | taskSwitched)) core.fault(7);
  return core.coprocessor;
}

/** The same for an instruction that waits: an exception under way comes first, where the 486 has it as a fault of its own. */
function waitingFor(core: Core): X87 | null {
  const chip = coprocessorOf(core);
  if (chip) checkException(core, chip);
  return chip;
}

function checkException(core: Core, chip: X87): void {
  if (core.rules.generation < 4 || (core.word(fields.cr0) & control.numericError) === 0) return;
  if ((chip.status & summary) !== 0) core.fault(faultVectors.numericError);
}

/** Without a coprocessor nothing happens, but an operand in memory is read. */
function passBy(core: Core, { seg }: Instruction, offset: number): number {
  core.read16(seg, offset);
  return 0;
}

function remember(core: Core, chip: X87, { imm, imm2, cs, ip }: Instruction): void {
  // The 8087 hears of no prefixes.
  chip.remember(imm, cs, core.rules.generation < 2 ? (ip + imm2) & 0xffff : ip);
}

/** Numbers of ten bytes lie as those of eight do; environments as their words do. */
function checkAlignment(core: Core, seg: number, offset: number, bytes: number): void {
  if (core.checksAlignment) core.checkAlignment(core.linear(seg, offset, 1, false), Math.min(bytes, 8));
}

/** Fails where a store would, before the coprocessor has done anything: what it has taken off its stack would be gone. */
function checkStore(core: Core, seg: number, offset: number, bytes: number): void {
  if (!core.isProtected) return;
  core.linear(seg, offset, 2, true);
  core.linear(seg, offset + bytes - 2, 2, true);
  core.checkPages((core.word(seg) + offset) >>> 0, bytes, true, core.isUser);
}

/** Operands may not reach beyond their segment; an 8086 goes on at its beginning. */
function checkLimit(core: Core, seg: number, offset: number, bytes: number): void {
  if (core.isProtected || offset + bytes <= 0x10000 || core.rules.wrapsOffsets) return;
  if (offset > 0xfffe) core.beyond(seg);
  core.fault(segmentOverrun);
}

function readWord(core: Core, seg: number, offset: number): number {
  return core.read16(seg, core.isProtected ? offset : offset & 0xffff);
}

function readLong(core: Core, seg: number, offset: number): number {
  if (offset <= 0xfffc || core.isProtected) return core.read32(seg, offset);
  return readWord(core, seg, offset) | (readWord(core, seg, offset + 2) << 16);
}

function writeWord(core: Core, seg: number, offset: number, value: number): void {
  core.write16(seg, core.isProtected ? offset : offset & 0xffff, value & 0xffff);
}

function writeLong(core: Core, seg: number, offset: number, value: number): void {
  writeWord(core, seg, offset, value);
  writeWord(core, seg, offset + 2, value >>> 16);
}

function sizeOf({ operands }: Instruction): number {
  return operands[0]?.bytes ?? 0;
}

function onRegisters(computes: boolean, waits: boolean, rounds: number): Call {
  const take = waits ? waitingFor : coprocessorOf;
  return (core, instruction) => {
    const chip = take(core);
    if (!chip) return 0;
    if (computes) remember(core, chip, instruction);
    chip.execute(instruction.imm);
    core.tire(rounds);
    return look(core);
  };
}

function onMemory(computes: boolean, waits: boolean, stores: boolean): Call {
  const take = waits ? waitingFor : coprocessorOf;
  return (core, instruction, _a, _b, o) => {
    const chip = take(core);
    if (!chip) return passBy(core, instruction, o);
    const { seg } = instruction;
    const bytes = sizeOf(instruction);
    const { operand } = chip;
    checkLimit(core, seg, o, bytes);
    checkAlignment(core, seg, o, bytes);
    if (stores) checkStore(core, seg, o, bytes);
    else {
      operand[0] = bytes === 2 ? readWord(core, seg, o) : readLong(core, seg, o);
      if (bytes >= 8) operand[1] = readLong(core, seg, o + 4);
      if (bytes === 10) operand[2] = readWord(core, seg, o + 8);
    }
    if (computes) {
      remember(core, chip, instruction);
      chip.rememberOperand(core.word(seg - toBase), o);
    }
    if (chip.access(instruction.imm)) {
      if (bytes === 2) writeWord(core, seg, o, operand[0]);
      else writeLong(core, seg, o, operand[0]);
      if (bytes >= 8) writeLong(core, seg, o + 4, operand[1]);
      if (bytes === 10) writeWord(core, seg, o + 8, operand[2]);
    }
    core.tire(escapeRounds);
    return look(core);
  };
}

const undefinedEscape: Call = (core, instruction, _a, _b, o) => {
  coprocessorOf(core);
  return instruction.modrm >> 6 === 3 ? 0 : passBy(core, instruction, o);
};

const storeStatus: Call = (core) => coprocessorOf(core)?.status ?? core.half(fields.eax * 2);

const real = new Real();

/** FNSTENV, and FNSAVE with the registers, the top of the stack first. */
function storeAll(withRegisters: boolean): Call {
  return (core, instruction, _a, _b, o) => {
    const chip = coprocessorOf(core);
    if (!chip) return passBy(core, instruction, o);
    const { seg, operandSize } = instruction;
    checkLimit(core, seg, o, sizeOf(instruction));
    const wide = operandSize === 32;
    const step = operandSize / 8;
    checkAlignment(core, seg, o, step);
    chip.environment(wide).forEach((word, index) => {
      if (wide) writeLong(core, seg, o + index * step, word);
      else writeWord(core, seg, o + index * step, word);
    });
    for (let index = 0; withRegisters && index < 8; index += 1) {
      const bits = bitsOf(chip.read(index, real));
      const at = o + 7 * step + index * 10;
      writeLong(core, seg, at, real.low);
      writeLong(core, seg, at + 4, real.high);
      writeWord(core, seg, at + 8, Number(bits >> 64n));
    }
    if (withRegisters) chip.initialise();
    else chip.control |= 0x3f;
    return look(core);
  };
}

/** FLDENV and FRSTOR. */
function loadAll(withRegisters: boolean): Call {
  return (core, instruction, _a, _b, o) => {
    const chip = waitingFor(core);
    if (!chip) return passBy(core, instruction, o);
    const { seg, operandSize } = instruction;
    checkLimit(core, seg, o, sizeOf(instruction));
    const wide = operandSize === 32;
    const step = operandSize / 8;
    checkAlignment(core, seg, o, step);
    const words = Array.from({ length: 7 }, (_, index) =>
      wide ? readLong(core, seg, o + index * step) : readWord(core, seg, o + index * step),
    );
    chip.setEnvironment(words, wide);
    for (let index = 0; withRegisters && index < 8; index += 1) {
      const at = o + 7 * step + index * 10;
      const words = [0, 2, 4, 6, 8].map((n) => BigInt(readWord(core, seg, at + n)));
      setBits(
        real,
        words.reduceRight((bits, word) => (bits << 16n) | word),
      );
      chip.put(index, real);
    }
    chip.tags = words[2];
    return look(core);
  };
}

const wait: Call = (core) => {
  const both = monitorCoprocessor | taskSwitched;
  if (core.rules.generation >= 2 && (core.word(fields.cr0) & both) === both) core.fault(7);
  if (core.coprocessor) checkException(core, core.coprocessor);
  return 0;
};

const looks = { reads: '', writes: '', control: 'look' } as const;

/** The escapes, by what their operand is. */
export const numeric: Readonly<Record<string, Operation>> = {
  ...Object.fromEntries(
    numericForms('80387').map(({ mnemonic, operands }): [string, Operation] => {
      const computes = !controlling.has(mnemonic);
      const waits = !unwaiting.has(mnemonic);
      if (!operands[0]?.startsWith('M')) {
        const call = onRegisters(computes, waits, functions.has(mnemonic) ? functionRounds : escapeRounds);
        return [mnemonic, { ...looks, call, quick: quickEscape }];
      }
      const stores = storing.has(mnemonic);
      const call = onMemory(computes, waits, stores);
      const memory = stores ? 'write' : 'read';
      return [`${mnemonic} memory`, { ...looks, reads: 'o', memory, call, quick: quickEscape }];
    }),
  ),
  'fnstenv memory': { ...looks, reads: 'o', memory: 'write', call: storeAll(false) },
  'fnsave memory': { ...looks, reads: 'o', memory: 'write', call: storeAll(true) },
  'fldenv memory': { ...looks, reads: 'o', memory: 'read', call: loadAll(false) },
  'frstor memory': { ...looks, reads: 'o', memory: 'read', call: loadAll(true) },
  'fnstsw register': { reads: '', writes: 'a', call: storeStatus, quick: quickStatus },
  esc: { ...looks, reads: 'o', call: undefinedEscape },
  wait: { reads: '', writes: '', call: wait },
};
