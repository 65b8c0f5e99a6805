import { hexByte } from '../../../formats/hex.ts';
import type { BusByte } from '../../../machine/bus-trace.ts';
import { attentionLine, clockLine, dataLine } from '../drive/bus-lines.ts';

/** Attention has begun and no drive has answered; nothing goes on; both sides are ready; bits come; all bits are there. */
type Phase = 'attention' | 'idle' | 'ready' | 'bits' | 'done';

/** A talker that waits so long before the first bit, in cycles, means that the byte is its last. */
const endTime = 190;
const bitsOfByte = 8;

/** Reads bytes from the levels of the serial bus as the KERNAL and the drives send them: the lowest bit first, taken when CLK rises. */
export class IecDecoder {
  readonly bytes: BusByte[] = [];
  #phase: Phase = 'idle';
  #lines: number;
  #readySince = 0;
  #isLast = false;
  #value = 0;
  #count = 0;
  /** A drive has been told to talk. */
  #driveTalks = false;

  constructor(lines: number) {
    this.#lines = lines;
  }

  /** The lines are like this now, and were different before. */
  change(lines: number, cycle: number): void {
    const before = this.#lines;
    this.#lines = lines;
    const rose = lines & ~before;
    const fell = before & ~lines;
    if ((fell & attentionLine) !== 0) this.#phase = 'attention';
    else if ((rose & attentionLine) !== 0) this.#phase = 'idle';
    if (this.#phase === 'attention' && (lines & dataLine) === 0) this.#phase = 'idle';
    if (this.#phase === 'done' && (lines & (clockLine | dataLine)) === 0) this.#phase = 'idle';
    if (this.#phase === 'idle' && (lines & clockLine) !== 0 && (lines & dataLine) !== 0) {
      this.#phase = 'ready';
      this.#readySince = cycle;
      this.#isLast = false;
    } else if (this.#phase === 'ready') this.#leaveReady(before, fell, cycle);
    else if (this.#phase === 'bits' && (rose & clockLine) !== 0) this.#takeBit(lines, cycle);
  }

  #leaveReady(before: number, fell: number, cycle: number): void {
    // The first bit may be on its way together with the clock.
    if ((fell & clockLine) !== 0) {
      this.#phase = (before & dataLine) !== 0 ? 'bits' : 'idle';
      this.#value = 0;
      this.#count = 0;
    } else if ((fell & dataLine) !== 0 && cycle - this.#readySince >= endTime) this.#isLast = true;
  }

  #takeBit(lines: number, cycle: number): void {
    if ((lines & dataLine) !== 0) this.#value |= 1 << this.#count;
    this.#count += 1;
    if (this.#count < bitsOfByte) return;
    this.#phase = 'done';
    const attention = (lines & attentionLine) === 0;
    const value = this.#value;
    if (attention) this.#command(value);
    this.bytes.push({
      cycle,
      value,
      by: attention || !this.#driveTalks ? 'computer' : 'drive',
      attention,
      last: this.#isLast,
      ...(attention && { command: commandName(value) }),
    });
  }

  #command(value: number): void {
    if ((value & 0x60) === 0x40) this.#driveTalks = value !== 0x5f;
    else if ((value & 0x60) === 0x20) this.#driveTalks = false;
  }
}

function commandName(value: number): string {
  const low = value & 0x1f;
  const channel = value & 15;
  if (value >> 5 === 1) return low === 0x1f ? 'UNLISTEN' : `LISTEN ${low}`;
  if (value >> 5 === 2) return low === 0x1f ? 'UNTALK' : `TALK ${low}`;
  if (value >> 4 === 0x6 || value >> 4 === 0x7) return `DATA ${low}`;
  if (value >> 4 === 0xe) return `CLOSE ${channel}`;
  if (value >> 4 === 0xf) return `OPEN ${channel}`;
  return hexByte(value);
}
