import { fields as cpu, setStatus } from '../../../../chips/mos6510/registers.ts';
import { pending, type Via6522State, fields as via } from '../../../../chips/via6522/fields.ts';
import type { C64Board } from '../../c64/c64-board.ts';
import { c64Layout } from '../../c64/c64-state.ts';
import { Drive1541 } from '../../drive/drive-1541.ts';
import { driveFields as f, wordsOfDrive } from '../../drive/drive-state.ts';
import { mechanicsFields as m, partsOfProcessor, processorWords } from '../../drive/processor-state.ts';
import type { DriveMoment, ViaMoment } from './drive-moment.ts';

/** In 65,536ths, as VICE has it. */
const clocksPerCycle = 0x10000;
const driveHz = 1_000_000;
const ramBytes = 0x800;

/** The 1541 of a twin: it runs whole instructions, and as many cycles for one of the computer's as VICE's does. */
export class TwinDrive {
  readonly #board: C64Board;
  readonly #drive: Drive1541;

  /** The board has one in unit 8. */
  constructor(board: C64Board) {
    this.#board = board;
    const [drive] = board.drives.real;
    if (!(drive instanceof Drive1541)) throw new RangeError('no 1541');
    this.#drive = drive;
    drive.workAsVice(Math.floor((clocksPerCycle * driveHz) / board.clockHz));
    board.drives.runner = (_, now) => {
      const ahead = drive.runWhole(drive.ticksDue(now, clocksPerCycle));
      if (ahead > 0) drive.holdBack(-ahead, clocksPerCycle);
    };
  }

  adopt(moment: DriveMoment, aheadOfVice: number): void {
    const board = this.#board;
    board.drives.bringUpToDate();
    const all = new Int32Array(board.bytes.buffer, board.bytes.byteOffset + c64Layout.offsets.drives);
    const words = wordsOfDrive(all, 8);
    const parts = partsOfProcessor(words.subarray(f.processor, f.processor + processorWords), ramBytes);
    const { mechanics } = parts;
    parts.ram.set(moment.ram);
    const { a, x, y, sp, pc } = moment.cpu;
    const state = this.#drive.parts.cpu;
    Object.assign(state, { [cpu.a]: a, [cpu.x]: x, [cpu.y]: y, [cpu.s]: sp, [cpu.pc]: pc });
    Object.assign(state, { [cpu.step]: 0, [cpu.instructionPc]: pc, [cpu.pipe]: 0, [cpu.irqLine]: 0 });
    setStatus(state, moment.status);
    adoptVia(parts.via1 as Via6522State, moment.vias[0]);
    adoptVia(parts.via2 as Via6522State, moment.vias[1]);
    mechanics[m.viaSpan] = 0;
    mechanics[m.viaLeft] = 0;
    mechanics[m.swapLeft] = 0;
    mechanics[m.ranTo] = moment.ranTo + aheadOfVice;
    mechanics[m.fraction] = moment.fraction - moment.ahead * clocksPerCycle;
    mechanics[m.halfTrack] = moment.halfTrack - 2;
    mechanics[m.bit] = moment.bit;
    mechanics[m.clock] = moment.clock;
    mechanics[m.shifter] = moment.shifter;
    mechanics[m.bitCount] = moment.bitCount;
    mechanics[m.coil] = moment.vias[1].orb & 3;
    mechanics[m.lastByte] = moment.lastByte;
    mechanics[m.byteReady] = moment.byteReady;
    mechanics[m.readClock] = moment.readClock;
    mechanics[m.readCounter] = moment.readCounter;
    mechanics[m.moveLeft] = 0;
    mechanics[m.swingLeft] = 0;
    this.#drive.restored();
  }
}

function adoptVia(words: Via6522State, moment: ViaMoment): void {
  const { t1, t2, t1Latch } = moment;
  words[via.ora] = moment.ora;
  words[via.orb] = moment.orb;
  words[via.ddra] = moment.ddra;
  words[via.ddrb] = moment.ddrb;
  words[via.acr] = moment.acr;
  words[via.pcr] = moment.pcr;
  words[via.ier] = moment.ier & 0x7f;
  words[via.ifr] = moment.ifr & 0x7f;
  words[via.t1Latch] = t1Latch;
  words[via.t2LatchLow] = moment.t2LatchLow;
  // VICE shows the counters of the cycle that is about to begin.
  words[via.t1Counter] = t1 === t1Latch ? 0xffff : (t1 + 1) & 0xffff;
  words[via.pending] = t1 === t1Latch ? pending.load1 : 0;
  words[via.t2Counter] = (t2 + 1) & 0xffff;
}
