/** `instructions.generated.ts`, the same for somebody who looks on, and the same for the VIC-20's bus and for a drive. */
import { type Opcode, opcodes } from '../../src/chips/mos6510/opcodes.ts';
import { busInstruction, isShared } from './bus-instructions.ts';
import { allInState, driveStyle, observedStyle, plainStyle, wholeInstruction } from './whole-instructions.ts';
import { wholeSource } from './whole-source.ts';

export const plainInstruction = (row: Opcode) => wholeInstruction(row, plainStyle);

export const instructionsSource = wholeSource({
  whole: plainInstruction,
  imports: "import type { Mos6510State } from './registers.ts';",
  about: `/** What is not plain memory; \`cycle\` says in which cycle of the run the access happens, the first being 1. */
export interface TimedBus {
  readAt(address: number, cycle: number): number;
  writeAt(address: number, value: number, cycle: number): void;
}

/** One on which what stays the same for the whole run can be read without an end of it. */
export interface SteadyBus extends TimedBus {
  /** Whether an access of this run was made in its cycle. */
  readonly isTimed: boolean;
}

/**
 * Runs whole instructions, each as if its cycles had been run, while they are sure to end within \`budget\` cycles and touch
 * plain memory only, or something else in their last cycle; such an access ends the run, unless it is a read that is not timed. Stops before other instructions. The
 * answer is the cycles used. For the caller to see to: the next cycle fetches an opcode, RDY is high,
 * no interrupt is on its way, and neither lines nor memory change from outside meanwhile.
 *
 * \`reads\` and \`writes\`: by the upper half of an address, what to add to it for the index into \`memory\`, or -1 where that
 * is not plain memory; both are -1 for the zero page, whose places 0 and 1 are not memory. Zero page and stack are at 0.
 */`,
  name: 'runInstructions',
  bus: 'SteadyBus',
  parameters: '',
  begin: '',
  look: '',
  goesOn: 'reads[((pc >> 8) + 1) & 255] === base',
  end: '',
});

/** In a table of gates, where those of a part begin. */
const gateAt = { x: 0x100, y: 0x200, s: 0x300, byte: 0x400, cycle: 0x500 };

const leads = { a: 0, byte: 1, cycle: 2 };

const lookInLoop = `    if (left !== budget) {
      if (code[pc] !== 0) break;
      if (asks !== undefined) {
        ${allInState}
        if (asks()) break;
      }
    }
`;

const stopAtMark = `if (left !== budget && code[pc] !== 0) {
      if (passes === undefined) break;
      ${allInState}
      if (!passes(pc)) break;
    }
`;
const markedLook = `    ${stopAtMark}`;

export const observedSource = wholeSource({
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
  /** Whether the run may go on before a marked instruction, with the registers in the state; without it none does. */
  readonly passes: ((pc: number) => boolean) | undefined;
}

/** Where accesses are seen. An instruction that changes a byte reads it, writes it back as it was, and writes what it has become. */
export interface SeenBus extends TimedBus {
  /** The first two of these; \`cycle\` is that of the third. */
  readBackAt(address: number, cycle: number): number;
  /** The third, in the cycle after the second. */
  writeAfter(address: number, value: number): void;
  /** What to add to the address for its place in memory if nobody wants to see this write to a marked place after all; else -1. */
  baseOfUnwanted(address: number, value: number): number;
  /** In place of the first two, if that is so for the second but not for the third; \`cycle\` is that of the second. */
  passTo(cycle: number): void;
}

/**
 * As \`runInstructions\`, for somebody who looks on: stops before instructions that are marked, except the first, and touches
 * nothing unseen. Pages whose accesses somebody wants to see are -1 in \`reads\` or \`writes\`. When such an access is made the
 * registers are in the state.
 */`,
  name: 'runObservedInstructions',
  bus: 'SeenBus',
  parameters: '\n  { code, low, isStackWatched, passes }: Watched,',
  begin: '',
  look: markedLook,
  goesOn: 'reads[((pc >> 8) + 1) & 255] === base',
  end: '',
});

const gatedLook = `    ${stopAtMark}    if (left !== budget) {
      if (
        (onlyPc < 0 || onlyPc === pc) &&
        gate[lead === ${leads.a} ? a : lead === ${leads.byte} ? memory[byteAt] + ${gateAt.byte} : lastCycle - left] !== 0 &&
        gate[a] !== 0 &&
        gate[x + ${gateAt.x}] !== 0 &&
        gate[y + ${gateAt.y}] !== 0 &&
        gate[s + ${gateAt.s}] !== 0 &&
        gate[lastCycle - left] !== 0 &&
        gate[memory[byteAt] + ${gateAt.byte}] !== 0
      ) {
        if (asks === undefined) break;
        ${allInState}
        if (asks()) break;
      }
    }
`;

export const gatedSource = wholeSource({
  whole: (row) => wholeInstruction(row, observedStyle),
  imports: `import type { SeenBus, Watched } from './observed-instructions.generated.ts';
import type { Mos6510State } from './registers.ts';`,
  about: `/** The same, of which not only marked instructions stop a run. */
export interface Asking extends Watched {
  /**
   * Asked before each instruction but the first that passes the gates, with the registers in the state: whether the run has to stop
   * there. Without it the run stops before each that passes.
   */
  readonly asks: (() => boolean) | undefined;
  /** 0 where nothing has to be asked: by A, then from the places in \`gateAt\` on by X, Y, S, a byte, and the cycle in the line. */
  readonly gate: Uint8Array;
  /** Which gate is looked at first. */
  readonly lead: (typeof leads)[keyof typeof leads];
  /** The cycle of the line in which the run begins. */
  readonly firstCycle: number;
  /** Where the byte is in \`memory\`. */
  readonly byteAt: number;
  /** The only address of an instruction that passes, or -1. */
  readonly onlyPc: number;
}

export const gateAt = ${JSON.stringify(gateAt)} as const;
export const leads = ${JSON.stringify(leads)} as const;

/** As \`runObservedInstructions\`. */`,
  name: 'runAskingInstructions',
  bus: 'SeenBus',
  parameters: '\n  { code, low, isStackWatched, passes, asks, gate, lead, firstCycle, byteAt, onlyPc }: Asking,',
  begin: `  const lastCycle = firstCycle + budget + ${gateAt.cycle};
`,
  look: gatedLook,
  goesOn: 'reads[((pc >> 8) + 1) & 255] === base',
  end: '',
});

export const busSource = wholeSource({
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
  // The other half of the bus may begin there.
  goesOn: 'false',
  end: `  if (!isVideoPc) {
    shared[0] = video;
    shared[1] = videoAddress;
  }
`,
});

const usesOverflow = ['ADC', 'SBC', 'BIT', 'BVC', 'BVS', 'CLV', 'PHP', 'PLP', 'RTI', 'BRK'];

export const driveSource = wholeSource({
  whole: (row) => wholeInstruction(row, driveStyle),
  imports: "import type { Mos6510State } from './registers.ts';",
  tables: `
/** -1 where the overflow flag is read or written. */
const usesOverflow = new Int8Array([${opcodes.map(({ mnemonic }) => (usesOverflow.includes(mnemonic) ? -1 : 0)).join(', ')}]);
`,
  about: `/** As in \`runInstructions\`; a read also gets what was left on the bus. */
interface TimedBus {
  readAt(address: number, cycle: number, last: number): number;
  writeAt(address: number, value: number, cycle: number): void;
}

/**
 * Runs whole instructions as \`runInstructions\` does, for a 6502 without a port whose SO pin is connected: in the last \`beyond\` cycles
 * of the budget, in which the pin may set the overflow flag, only instructions are run that have nothing to do with it.
 */`,
  name: 'runDriveInstructions',
  parameters: '\n  beyond: number,',
  begin: '',
  look: '',
  goesOn: 'reads[((pc >> 8) + 1) & 255] === base',
  need: 'longest[opcode] + (usesOverflow[opcode] & beyond)',
  end: '',
});
