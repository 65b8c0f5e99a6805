import { disassemble } from '../../../chips/mos6510/disassemble.ts';

const mostInstructions = 3000;
/** Nothing that follows them in memory belongs to what they end. */
const ends = ['RTS', 'RTI', 'BRK', 'JAM'];

/** Whether code that begins at `start` can come to the instruction at `goal` without returning, as far as its bytes tell. */
export function canReach(start: number, goal: number, peek: (address: number) => number): boolean {
  const seen = new Set<number>();
  const waiting = [start];
  while (waiting.length > 0 && seen.size < mostInstructions) {
    const at = waiting.pop() ?? start;
    if (at === goal) return true;
    if (seen.has(at)) continue;
    seen.add(at);
    const bytes = [0, 1, 2].map((offset) => peek((at + offset) & 0xffff));
    const { row, length, target } = disassemble(bytes, at);
    const isJump = row.mnemonic === 'JMP';
    if ((row.mode === 'relative' || (isJump && row.mode === 'absolute')) && target !== undefined) waiting.push(target);
    if (!isJump && !ends.includes(row.mnemonic)) waiting.push((at + length) & 0xffff);
  }
  return false;
}
