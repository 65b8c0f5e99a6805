import { fields, getStatus, isInterruptNext } from '../../../chips/mos6510/registers.ts';
import { hex } from '../../../formats/hex.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { MemoryChange, RoutineCall, RoutineResult, RoutinesCapability } from '../../../machine/routines.ts';
import type { CommodoreEngine } from './commodore-engine.ts';
import { type RegisterName, writeRegister } from './input-event.ts';

const registerNames = ['A', 'X', 'Y', 'P', 'SP'] as const satisfies readonly RegisterName[];
const stackPage = 0x100;
const interruptFlag = 4;
const cyclesBetweenLooks = 256;
/** An interrupt does what BRK does. */
const opcodes = { brk: 0x00, jsr: 0x20, rti: 0x40, rts: 0x60 } as const;

/** Calls routines of the 6502 on a copy of the present, which is put back when they are through. */
export class CommodoreRoutines implements RoutinesCapability {
  readonly #engine: CommodoreEngine;

  constructor(engine: CommodoreEngine) {
    this.#engine = engine;
  }

  async call(request: RoutineCall, signal: AbortSignal): Promise<RoutineResult> {
    const registers = checked(request.registers);
    refuseMuch(request.memory);
    const { board } = this.#engine;
    const { state } = board.cpu;
    const back = state[fields.pc];
    let [start, top, instructions] = [0, 0, 0];
    let depth = 0;
    /** Of its own RTS or RTI that had something else than its return address on the stack. */
    let astray: number | undefined;
    let before = new Uint8Array();
    let reason: string | undefined;
    let result: RoutineResult | undefined;
    const hasReturned = () => state[fields.pc] === back && state[fields.s] === top;
    await this.#engine.aside(
      () => {
        for (const { address, bytes } of request.memory) {
          for (const [offset, byte] of bytes.entries()) board.poke('cpu', (Number(address) + offset) & 0xffff, byte);
        }
        for (const [name, value] of registers) writeRegister(state, name, value);
        if (!request.interrupts) writeRegister(state, 'P', getStatus(state) | interruptFlag);
        top = state[fields.s];
        // A handler's return is to the address itself, a subroutine's to the one after it.
        const returnTo = request.asHandler ? back : (back - 1) & 0xffff;
        for (const byte of [returnTo >> 8, returnTo & 255, ...(request.asHandler ? [getStatus(state)] : [])]) {
          board.poke('ram', stackPage + state[fields.s], byte);
          state[fields.s] = (state[fields.s] - 1) & 255;
        }
        writeRegister(state, 'PC', Number(request.address));
        before = board.ram.slice();
        start = board.cycles;
      },
      (until) => {
        for (let look = board.cycles + cyclesBetweenLooks; ; ) {
          const at = state[fields.pc];
          const operation = isInterruptNext(state) ? opcodes.brk : board.peek('cpu', at);
          const goesOn = board.stepInstruction();
          instructions++;
          if (operation === opcodes.jsr || operation === opcodes.brk) depth++;
          else if (operation === opcodes.rts || operation === opcodes.rti) {
            if (depth === 0 && !hasReturned()) astray ??= at;
            depth = Math.max(0, depth - 1);
          }
          // After a return that went elsewhere it may come by there as it may come anywhere.
          const isBack =
            hasReturned() && (astray === undefined || operation === opcodes.rts || operation === opcodes.rti);
          if (!goesOn) reason = `the processor jammed at $${hex(state[fields.instructionPc])}`;
          else if (!isBack && board.cycles - start >= request.maxCycles) {
            reason = `${request.maxCycles.toLocaleString('en-US')} cycles were not enough`;
          }
          if (reason !== undefined && astray !== undefined) {
            reason += `; the return at $${hex(astray)} went elsewhere, since its address was not on top of the stack`;
          }
          if (reason !== undefined || isBack) {
            result = this.#result({ cycles: board.cycles - start, instructions, before, top, reason });
            return true;
          }
          if (board.cycles < look) continue;
          if (performance.now() >= until) return false;
          look = board.cycles + cyclesBetweenLooks;
        }
      },
      signal,
    );
    if (!result) throw new MachineError('CANCELLED', 'The call was cancelled.', 'Call again.');
    return result;
  }

  #result(run: {
    readonly cycles: number;
    readonly instructions: number;
    readonly before: Uint8Array;
    readonly top: number;
    readonly reason: string | undefined;
  }): RoutineResult {
    const { ram, cpu } = this.#engine.board;
    const { state } = cpu;
    const status = getStatus(state);
    const values = {
      A: state[fields.a],
      X: state[fields.x],
      Y: state[fields.y],
      SP: state[fields.s],
      P: status,
      PC: state[fields.pc],
    };
    return {
      returned: run.reason === undefined,
      ...(run.reason !== undefined && { reason: run.reason }),
      registers: Object.entries(values).map(([name, value]) => ({
        name,
        value,
        bits: name === 'PC' ? 16 : 8,
        ...(name === 'P' && { flags: flagLetters(value) }),
      })),
      cycles: run.cycles,
      instructions: run.instructions,
      changes: changesOf(run.before, ram, run.top),
    };
  }
}

/** More than all memory means some of it twice. */
function refuseMuch(memory: RoutineCall['memory']): void {
  const bytes = memory.reduce((sum, { bytes: { length } }) => sum + length, 0);
  if (bytes <= 0x10000) return;
  const message = `${bytes.toLocaleString('en-US')} bytes do not fit into memory.`;
  throw new MachineError('LIMIT_REACHED', message, 'Write each address at most once, 65,536 bytes in all.');
}

function checked(registers: RoutineCall['registers']): readonly (readonly [RegisterName, number])[] {
  return Object.entries(registers).map(([name, value]) => {
    const register = registerNames.find((each) => each === name.toUpperCase());
    const help = `Use ${registerNames.join(', ')} with values from 0 to $FF.`;
    if (register === undefined) throw new MachineError('INVALID_ARGUMENT', `No register ${name.slice(0, 20)}.`, help);
    if (value < 0n || value > 0xffn) {
      throw new MachineError('INVALID_ARGUMENT', `${register} cannot be ${value}.`, help);
    }
    return [register, Number(value)] as const;
  });
}

/** Runs of bytes; what lies in the free part of the stack is left over and means nothing. */
function changesOf(before: Uint8Array, after: Uint8Array, top: number): readonly MemoryChange[] {
  const changes: MemoryChange[] = [];
  const isChanged = (at: number) => before[at] !== after[at] && !(at >= stackPage && at <= stackPage + top);
  for (let at = 0; at < before.length; at++) {
    if (!isChanged(at)) continue;
    let end = at + 1;
    while (end < before.length && isChanged(end)) end++;
    changes.push({ address: BigInt(at), before: before.slice(at, end), after: after.slice(at, end) });
    at = end;
  }
  return changes;
}

function flagLetters(status: number): string {
  return [...'nv-bdizc'].map((letter, index) => (status & (0x80 >> index) ? letter.toUpperCase() : letter)).join('');
}
