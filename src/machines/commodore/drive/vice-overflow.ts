import { opcodes } from '../../../chips/mos6510/opcodes.ts';
import { fields as cpu, type Mos6510State } from '../../../chips/mos6510/registers.ts';

const looks = { branch: 1, push: 2, change: 3 } as const;
const changers = ['ADC', 'SBC', 'BIT', 'CLV', 'ARR', 'RRA', 'ISC'];

/** By opcode: how it has to do with the overflow flag. */
const kinds = Uint8Array.from(opcodes, ({ mnemonic }) => {
  if (mnemonic === 'BVC' || mnemonic === 'BVS') return looks.branch;
  if (mnemonic === 'PHP') return looks.push;
  return changers.includes(mnemonic) ? looks.change : 0;
});

/**
 * In VICE the signal that a byte is there is no pin of the processor: it waits until an instruction asks for the overflow flag, and an instruction that clears the flag takes it
 * away, up to the end of its last cycle. PLP, RTI and interrupts do not meet it. Called after the cycle that began at `step`, while the signal is there; the answer is whether it still is.
 */
export function signalAfter(state: Mos6510State, step: number): 0 | 1 {
  const next = state[cpu.step];
  // The first cycle has fetched the opcode.
  const kind = kinds[(step & 7) === 0 ? next >> 3 : step >> 3];
  const isNoticed = (kind === looks.branch && (step & 7) === 0) || (kind === looks.push && (step & 7) === 1);
  if (isNoticed) state[cpu.v] = 1;
  return isNoticed || (kind === looks.change && (next & 7) === 0 && state[cpu.v] === 0) ? 0 : 1;
}
