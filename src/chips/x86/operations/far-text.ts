import { flag, packText, unpackText } from '../flags.ts';
import type { Instruction } from '../instruction.ts';
import { fields, toBase } from '../registers.ts';
import { outcome, type QuickText } from './operation.ts';

const stackPointer = `R16[${fields.esp * 2}]`;
/** Offset and segment. */
const pointerBytes = 4;
const lastOffset = 0x10000 - pointerBytes;
/** IP, CS and flags. */
export const frameBytes = 6;

/** Real mode, where a segment is its address, and pointers of 16 bits each. */
function isUsual({ space, operandSize }: Instruction): boolean {
  return space.plain && operandSize === 16;
}

function setSegment(segment: number, value: string): string {
  return `R[${segment}] = ${value}; R[${segment + toBase}] = ${value} << 4;`;
}

/** From plain memory at `t`: the offset in `r`, the segment in `k`. */
const takePointer = 'r = D.getUint16(t, true); k = D.getUint16(t + 2, true);';

export const quickFarCall: QuickText = (instruction) => {
  if (!isUsual(instruction)) return null;
  const { next, cs, imm, target } = instruction;
  const push = `D.setInt32(t, ${(next & 0xffff) | (cs << 16)}, true);`;
  return {
    before: `o = ${stackPointer} - ${pointerBytes}; t = R[${fields.ssBase}] + o;`,
    when: 'o >= 0 && wf[t >>> 8] === 0',
    act: `${push} ${stackPointer} = o; ${setSegment(fields.cs, String(imm & 0xffff))} R[${fields.eip}] = ${target & 0xffff}; return ${outcome.callTo};`,
  };
};

export const quickFarReturn: QuickText = (instruction) => {
  if (!isUsual(instruction)) return null;
  const moved = `${stackPointer} = o + ${pointerBytes + instruction.imm};`;
  return {
    before: `o = ${stackPointer}; t = R[${fields.ssBase}] + o;`,
    when: `o <= ${lastOffset} && rf[t >>> 8] === 0`,
    act: `${takePointer} ${moved} ${setSegment(fields.cs, 'k')} R[${fields.eip}] = r; return ${outcome.return};`,
  };
};

/** INT, where nobody wants to hear of it. */
export const quickInterrupt: QuickText = (instruction) => {
  if (!isUsual(instruction)) return null;
  const { next, cs, imm } = instruction;
  const entry = imm * 4;
  const push = `D.setInt32(t, ${(next & 0xffff) | (cs << 16)}, true); D.setInt16(t + 4, ${packText}, true);`;
  const mask = `R[${fields.eflags}] &= ${~(flag.interrupt | flag.trap)};`;
  const hasEntry = `${entry + 3} <= R[${fields.idtLimit}] >>> 0 && rf[q >>> 8] === 0`;
  return {
    before: `o = ${stackPointer} - ${frameBytes}; t = R[${fields.ssBase}] + o; q = R[${fields.idtBase}] + ${entry};`,
    when: `o >= 0 && c.onInterrupt === null && ${hasEntry} && (wf[t >>> 8] === 0 || c.memory.isFree(t, ${frameBytes}))`,
    act: `${push} ${stackPointer} = o; ${mask} t = q; ${takePointer} ${setSegment(fields.cs, 'k')} R[${fields.eip}] = r; return ${outcome.callTo};`,
  };
};

/** IRET, where the flags decide about nothing that waits. */
export const quickInterruptReturn: QuickText = (instruction, { rules }) => {
  if (!isUsual(instruction)) return null;
  const { loadableFlags, fixedFlags } = rules;
  const kept = `R[${fields.eflags}] & ${~(loadableFlags | flag.resume)}`;
  const flags = `R[${fields.eflags}] = ${kept} | b & ${loadableFlags} | ${fixedFlags}; ${unpackText('b')} fo = (b & ${flag.overflow}) << 20;`;
  const nothingWaits = `(R[${fields.interruptLine}] | R[${fields.nmiPending}]) === 0`;
  return {
    before: `o = ${stackPointer}; t = R[${fields.ssBase}] + o;`,
    when: `o <= ${0x10000 - frameBytes} && rf[t >>> 8] === 0 && ${nothingWaits} && ((b = D.getUint16(t + 4, true)) & ${flag.trap}) === 0`,
    act: `${takePointer} ${stackPointer} = o + ${frameBytes}; ${setSegment(fields.cs, 'k')} R[${fields.eip}] = r; ${flags} return ${outcome.return};`,
  };
};

/** LES, LDS and the like. */
export function quickPointer(segment: number): QuickText {
  return (instruction, { offset }) => {
    if (!isUsual(instruction) || instruction.modrm >> 6 === 3) return null;
    return {
      before: `o = ${offset}; t = R[${instruction.seg}] + o;`,
      when: `o <= ${lastOffset} && rf[t >>> 8] === 0`,
      act: `${takePointer} R16[${instruction.d}] = r; ${setSegment(segment, 'k')} return ${outcome.next};`,
    };
  };
}
