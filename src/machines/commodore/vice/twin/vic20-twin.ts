import { pixelsPerCycle } from '../../../../chips/mos6560/models.ts';
import { fields as via } from '../../../../chips/via6522/fields.ts';
import { MachineError } from '../../../../machine/errors.ts';
import type { TwinPixel } from '../../../../machine/twin.ts';
import { Vic20Board } from '../../vic20/vic20-board.ts';
import { vic20Layout } from '../../vic20/vic20-state.ts';
import { numberOf } from '../held-settings.ts';
import type { VideoStandard } from '../vice-models.ts';
import type { ViceScreen } from '../vice-screen.ts';
import type { ViceSession } from '../vice-session.ts';
import { BoardTwin, type DifferingPixels, type Moment } from './board-twin.ts';

/** Within them it comes to where VICE first stops. */
const startCycles = 1000;
/** Of the bare machine: RAM, then colours, of which four bits are there. */
const ram = [
  { first: 0, last: 0x3ff },
  { first: 0x1000, last: 0x1fff },
] as const;
const colours = { first: 0x9400, last: 0x97ff } as const;
/** Two pixels of VICE's for one of ours, and the first line that it shows. */
const pixelWidth = 2;
const firstLine = 28;
const ramBlocks = [0, 1, 2, 3, 5] as const;

/** A bare VIC-20 beside an xvic. */
export class Vic20Twin extends BoardTwin<Vic20Board> {
  /** With the ROMs and the standard that VICE has. */
  static async of(session: ViceSession, standard: VideoStandard): Promise<Vic20Twin> {
    for (const block of ramBlocks) {
      if ((await numberOf(session, `RAMBlock${block}`)) === 0) continue;
      throw new MachineError(
        'UNAVAILABLE',
        `This VICE has RAM plugged in (RAMBlock${block}).`,
        'Compare with the bare machine: start one here.',
      );
    }
    const roms = {
      chargen: await session.peek(0, 0x8000, 0x1000),
      basic: await session.peek(0, 0xc000, 0x2000),
      kernal: await session.peek(0, 0xe000, 0x2000),
    };
    return new Vic20Twin(new Vic20Board({ roms, vic: standard === 'ntsc' ? '6560' : '6561' }));
  }

  /** VICE's beam begins with its clock, as ours does. */
  async align(moment: Moment): Promise<boolean> {
    const { board } = this;
    board.powerUp();
    if (!board.runUntilPc(moment.pc, startCycles)) return false;
    this.meet(moment);
    const { cyclesPerLine, lines } = board.vic.timing;
    const clock = board.cycles - 1;
    return Math.floor(clock / cyclesPerLine) % lines === moment.line && clock % cyclesPerLine === moment.cycle;
  }

  async adoptFrom(session: ViceSession): Promise<void> {
    const { board } = this;
    const memory = await session.peek(0, 0, 0x10000);
    for (const { first, last } of ram) board.ram.set(memory.subarray(first, last + 1), first);
    board.color.set(memory.subarray(colours.first, colours.last + 1).map((byte) => byte & 15));
    board.catchUp();
    for (const [part, base] of [['via1', 0x9110] as const, ['via2', 0x9120] as const]) {
      const registers = Buffer.from(memory.subarray(base, base + 16));
      const words = new Int32Array(board.bytes.buffer, board.bytes.byteOffset + vic20Layout.offsets[part]);
      // VICE shows the counters of the cycle that is about to begin.
      words[via.t1Counter] = registers.readUInt16LE(4) + 1;
      words[via.t2Counter] = (registers.readUInt16LE(8) + 1) & 0xffff;
      words[via.t1Latch] = registers.readUInt16LE(6);
    }
    // Without paddles VICE 3.7 reads what was written last.
    board.setPaddles(1, memory[0x9008] ?? 0, memory[0x9009] ?? 0);
  }

  differingBytes(memory: Uint8Array): readonly number[] {
    const found: number[] = [];
    for (const { first, last } of ram) {
      for (let at = first; at <= last; at++) if (this.board.ram[at] !== memory[at]) found.push(at);
    }
    for (let at = colours.first; at <= colours.last; at++) {
      if (this.byteAt(at) !== ((memory[at] ?? 0) & 15)) found.push(at);
    }
    return found;
  }

  override byteAt(address: number): number {
    return address < colours.first ? super.byteAt(address) : this.board.peek('cpu', address) & 15;
  }

  async pixels(screen: ViceScreen): Promise<DifferingPixels | undefined> {
    const { width, height, pixels } = await screen.drawn();
    const { cyclesPerLine, lines } = this.board.vic.timing;
    const ourWidth = cyclesPerLine * pixelsPerCycle;
    if (width !== ourWidth * pixelWidth || firstLine + height > lines + 1) return undefined;
    let count = 0;
    let first: TwinPixel | undefined;
    // The last line is not whole in VICE's picture when its frame ends.
    for (let y = 0; y < height && firstLine + y < lines - 1; y++) {
      const line = firstLine + y;
      for (let x = 0; x < ourWidth; x++) {
        const [ours = 0, theirs] = [this.board.frame[line * ourWidth + x], pixels[y * width + x * pixelWidth]];
        if (theirs === undefined || theirs === ours) continue;
        count++;
        first ??= { x, y, line, cycle: Math.floor(x / pixelsPerCycle), ours, theirs };
      }
    }
    return { count, ...(first && { first }) };
  }
}
