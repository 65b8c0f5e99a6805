import { DeviceClock } from '../device-clock.ts';
import { readWide, writeWide } from '../wide-word.ts';
import { fields, phases, stateWords } from './fields.ts';

/** What is in a floppy drive. */
export interface FloppyMedium {
  readonly heads: number;
  readonly sectorsPerTrack: number;
  readonly cylinders: number;
  readonly readOnly: boolean;
  /** By number from the start of the disk. Undefined where it cannot be read. */
  read(sector: number): Uint8Array | undefined;
  /** False where it cannot be written. */
  write(sector: number, bytes: Uint8Array): boolean;
}

export interface I8272Wires {
  now(): number;
  readonly instructionsPerSecond: number;
  irq(level: number): void;
  /** A byte over DMA channel 2; undefined where the channel is not ready. */
  dma(value?: number): { readonly value: number; readonly terminal: boolean } | undefined;
  disk(drive: number): FloppyMedium | undefined;
}

/** Three status bytes; cylinder, head, sector and size where it stopped. */
type Outcome = readonly [status: readonly [number, number, number], place: readonly number[]];

const { idle: IDLE, executing: EXECUTING, result: RESULT } = phases;
const SECTOR_BYTES = 512;
/** N of a sector of 512 bytes. */
const SECTOR_CODE = 2;
const DRIVES = 4;
const LAST_STEP = 79;
/** Of a sector at 500 kbit/s, with its gaps; and the least that anything takes. */
const SECTOR_US = 11_000;
const LEAST_US = 100;
const dorBits = { running: 4, interrupts: 8 } as const;
const st0 = { abnormal: 0x40, invalid: 0x80, notReady: 0xc0, seekEnd: 0x20 } as const;
const st1 = { missingMark: 1, notWritable: 2, noData: 4, overrun: 0x10, endOfCylinder: 0x80 } as const;
const wrongCylinder = 0x10;
const st3 = { twoSides: 8, track0: 0x10, ready: 0x20, protected: 0x40 } as const;
/** Bytes after the first one, by the lower five bits of the command. */
const parameters: Readonly<Record<number, number>> = { 2: 8, 3: 2, 4: 1, 5: 8, 6: 8, 7: 1, 8: 0, 10: 1, 13: 5, 15: 2 };

/**
 * Intel 8272 (NEC 765) with the registers that an AT has around it: 3F2h drives and motors, 3F4h status, 3F5h data, 3F7h disk
 * change and data rate. Sectors go over DMA channel 2; IRQ 6 tells of ends.
 *
 *               +-------+
 *  3F2h-3F7h <->| 8272  |<--> DMA 2, IRQ 6
 *               |       |<--> four drives
 *               +-------+
 *
 * A command that has no disk to work on never ends, as there is no index hole: programs time out and reset.
 *
 * Source: Intel 8272A data sheet (1986), IBM AT Technical Reference. Not emulated: transfers without DMA, deleted data, scans,
 * sectors of other sizes than 512 bytes, motors (they always turn), gaps, several seeks at once (the first ends early).
 */
export class I8272 {
  readonly #s: Int32Array;
  readonly #wires: I8272Wires;
  readonly #micros: DeviceClock;

  constructor(state: Int32Array, wires: I8272Wires) {
    this.#s = state;
    this.#wires = wires;
    this.#micros = new DeviceClock(1_000_000, wires.instructionsPerSecond);
  }

  powerOn(): void {
    this.#s.fill(0, 0, stateWords);
    // As the BIOS leaves it.
    this.#s[fields.dor] = dorBits.running | dorBits.interrupts;
    this.#s[fields.rate] = -1;
    this.#s[fields.stepRate] = 3;
  }

  /** Somebody changes the disk of a drive. */
  changed(drive: number): void {
    this.#s[fields.changed] |= 1 << drive;
  }

  /** Ports 3F0h-3F7h as offsets. */
  read(register: number): number {
    this.catchUp(this.#wires.now());
    switch (register & 7) {
      case 2:
        return this.#s[fields.dor];
      case 4:
        return this.#status();
      case 5:
        return this.#takeResult();
      case 7: {
        const drive = this.#s[fields.dor] & 3;
        const isChanged = ((this.#s[fields.changed] >> drive) & 1) !== 0 || !this.#wires.disk(drive);
        return isChanged ? 0x80 : 0;
      }
      default:
        return 0xff;
    }
  }

  write(register: number, value: number): void {
    const s = this.#s;
    this.catchUp(this.#wires.now());
    switch (register & 7) {
      case 2: {
        const wasRunning = (s[fields.dor] & dorBits.running) !== 0;
        s[fields.dor] = value;
        if ((value & dorBits.running) === 0) this.#halt();
        else if (!wasRunning) this.#reset();
        this.#setIrq(s[fields.irq]);
        break;
      }
      case 5:
        this.#take(value);
        break;
      case 7:
        s[fields.rate] = value & 3;
        break;
    }
  }

  nextEvent(): number {
    const due = readWide(this.#s, fields.due);
    return due === 0 ? Number.POSITIVE_INFINITY : this.#micros.countAt(due);
  }

  catchUp(count: number): void {
    const s = this.#s;
    const due = readWide(s, fields.due);
    if (due === 0 || this.#micros.ticksAt(count) < due) return;
    writeWide(s, fields.due, 0);
    if (s[fields.seeking] !== 0) this.#endSeeks();
    else if (s[fields.phase] === EXECUTING) this.#execute();
  }

  #status(): number {
    const s = this.#s;
    if ((s[fields.dor] & dorBits.running) === 0) return 0;
    if (s[fields.phase] === EXECUTING) return 0x10;
    if (s[fields.phase] === RESULT) return 0xd0;
    return 0x80 | (s[fields.length] > 0 ? 0x10 : 0) | s[fields.seeking];
  }

  #take(value: number): void {
    const s = this.#s;
    if ((s[fields.dor] & dorBits.running) === 0 || s[fields.phase] !== IDLE) return;
    if (s[fields.length] === 0 && s[fields.seeking] !== 0) this.#endSeeks();
    s[fields.bytes + s[fields.length]++] = value;
    const command = s[fields.bytes] & 0x1f;
    const wanted = parameters[command];
    if (wanted === undefined) this.#answer(st0.invalid);
    else if (s[fields.length] > wanted) this.#begin(command);
  }

  #begin(command: number): void {
    const s = this.#s;
    const [first, second] = [s[fields.bytes + 1], s[fields.bytes + 2]];
    const drive = first & 3;
    switch (command) {
      case 3:
        s[fields.stepRate] = 16 - (first >> 4);
        s[fields.noDma] = second & 1;
        s[fields.length] = 0;
        break;
      case 4:
        this.#answer(this.#driveStatus(first & 7));
        break;
      case 7:
        this.#seek(drive, 0);
        break;
      case 8:
        this.#senseInterrupt();
        break;
      case 15:
        this.#seek(drive, Math.min(second, LAST_STEP + 3));
        break;
      default: {
        s[fields.phase] = EXECUTING;
        const disk = this.#wires.disk(drive);
        const sectors = command === 10 ? 1 : command === 13 ? (disk?.sectorsPerTrack ?? 1) : 1;
        if (disk) this.#dueAfter(Math.max(LEAST_US, sectors * SECTOR_US));
      }
    }
  }

  #execute(): void {
    const s = this.#s;
    const command = s[fields.bytes] & 0x1f;
    const unit = s[fields.bytes + 1] & 7;
    const disk = this.#wires.disk(unit & 3);
    if (!disk) return;
    const head = unit >> 2;
    const isThere = head < disk.heads && s[fields.cylinders + (unit & 3)] < disk.cylinders && this.#fits(disk);
    if (!isThere) this.#finish([st0.abnormal, st1.missingMark, 0], this.#named());
    else if (command === 10) {
      const turned = Math.floor(this.#micros.ticksAt(this.#wires.now()) / SECTOR_US) % disk.sectorsPerTrack;
      this.#finish([0, 0, 0], [s[fields.cylinders + (unit & 3)], head, turned + 1, SECTOR_CODE]);
    } else this.#finish(...(command === 13 ? this.#format(disk, unit) : this.#transfer(disk, unit, command)));
  }

  /** At its data rate: 500 for high density, 250 (300 in a drive for those) for double, 1,000 for extra high. */
  #fits({ sectorsPerTrack }: FloppyMedium): boolean {
    const rate = this.#s[fields.rate];
    if (rate < 0) return true;
    if (sectorsPerTrack > 21) return rate === 3;
    return sectorsPerTrack > 10 ? rate === 0 : rate === 1 || rate === 2;
  }

  /** Sectors until the DMA controller has had its last byte, or the track ends. */
  #transfer(disk: FloppyMedium, unit: number, command: number): Outcome {
    const s = this.#s;
    const byte = (index: number) => s[fields.bytes + index];
    const last = byte(6);
    const writing = command === 5;
    const bothHeads = (byte(0) & 0x80) !== 0;
    let [cylinder, head, sector] = [byte(2), byte(3), command === 2 ? 1 : byte(4)];
    const place = () => [cylinder, head, sector, byte(5)] as const;
    const fail = (one: number, two = 0): Outcome => [[st0.abnormal, one, two], place()];
    if (cylinder !== s[fields.cylinders + (unit & 3)]) return fail(st1.noData, wrongCylinder);
    if (head !== unit >> 2 || byte(5) !== SECTOR_CODE) return fail(st1.noData);
    if (writing && disk.readOnly) return fail(st1.notWritable);
    if (s[fields.noDma] !== 0) return fail(st1.overrun);
    for (;;) {
      if (sector < 1 || sector > disk.sectorsPerTrack) return fail(st1.noData);
      const moved = this.#moveSector(disk, (cylinder * disk.heads + head) * disk.sectorsPerTrack + sector - 1, writing);
      if (moved === 'overrun') return fail(st1.overrun);
      if (moved === 'bad') return fail(writing ? st1.notWritable : st1.noData);
      const isLast = sector === last;
      if (!isLast) sector++;
      else {
        sector = 1;
        if (bothHeads && (head & 1) === 0) head = 1;
        else {
          if (bothHeads) head = 0;
          cylinder++;
          if (moved !== 'terminal') return fail(st1.endOfCylinder);
        }
      }
      if (moved === 'terminal') return [[0, 0, 0], place()];
    }
  }

  #moveSector(disk: FloppyMedium, number: number, writing: boolean): 'more' | 'terminal' | 'overrun' | 'bad' {
    const bytes = writing ? new Uint8Array(SECTOR_BYTES) : disk.read(number);
    if (!bytes) return 'bad';
    for (let index = 0; index < SECTOR_BYTES; index++) {
      const moved = this.#wires.dma(writing ? undefined : bytes[index]);
      if (!moved) return index === 0 || !writing ? 'overrun' : 'bad';
      if (writing) bytes[index] = moved.value;
      if (!moved.terminal) continue;
      // What is left of the sector is zeros when it is written.
      return writing && !disk.write(number, bytes) ? 'bad' : 'terminal';
    }
    return writing && !disk.write(number, bytes) ? 'bad' : 'more';
  }

  /** Cylinder, head, sector and size of each sector come over DMA. */
  #format(disk: FloppyMedium, unit: number): Outcome {
    const s = this.#s;
    const [size, count, fill] = [s[fields.bytes + 2], s[fields.bytes + 3], s[fields.bytes + 5]];
    const [cylinder, head] = [s[fields.cylinders + (unit & 3)], unit >> 2];
    const fail = (one: number): Outcome => [
      [st0.abnormal, one, 0],
      [cylinder, head, 1, size],
    ];
    if (disk.readOnly) return fail(st1.notWritable);
    if (size !== SECTOR_CODE || count > disk.sectorsPerTrack) return fail(st1.noData);
    const blank = new Uint8Array(SECTOR_BYTES).fill(fill);
    for (let index = 0; index < count; index++) {
      const id = Array.from({ length: 4 }, () => this.#wires.dma()?.value);
      const sector = id[2];
      if (id.includes(undefined) || sector === undefined) return fail(st1.overrun);
      const isOwn = id[0] === cylinder && id[1] === head && sector >= 1 && sector <= disk.sectorsPerTrack;
      if (isOwn && !disk.write((cylinder * disk.heads + head) * disk.sectorsPerTrack + sector - 1, blank))
        return fail(st1.notWritable);
    }
    return [
      [0, 0, 0],
      [cylinder, head, count, size],
    ];
  }

  #named(): readonly number[] {
    const s = this.#s;
    return [s[fields.bytes + 2], s[fields.bytes + 3], s[fields.bytes + 4], s[fields.bytes + 5]];
  }

  #driveStatus(unit: number): number {
    const disk = this.#wires.disk(unit & 3);
    return (
      unit |
      st3.ready |
      (this.#s[fields.cylinders + (unit & 3)] === 0 ? st3.track0 : 0) |
      (disk && disk.heads > 1 ? st3.twoSides : 0) |
      (disk?.readOnly ? st3.protected : 0)
    );
  }

  #seek(drive: number, cylinder: number): void {
    const s = this.#s;
    const steps = Math.abs(cylinder - s[fields.cylinders + drive]);
    s[fields.wanted + drive] = cylinder;
    s[fields.seeking] |= 1 << drive;
    s[fields.length] = 0;
    this.#dueAfter(LEAST_US + steps * s[fields.stepRate] * 1000);
  }

  #endSeeks(): void {
    const s = this.#s;
    for (let drive = 0; drive < DRIVES; drive++) {
      if (((s[fields.seeking] >> drive) & 1) === 0) continue;
      s[fields.cylinders + drive] = s[fields.wanted + drive];
      // A step with a disk in the drive resets its line.
      if (this.#wires.disk(drive)) s[fields.changed] &= ~(1 << drive);
      this.#ended(drive, st0.seekEnd | drive);
    }
    s[fields.seeking] = 0;
    this.#setIrq(1);
  }

  #ended(drive: number, status: number): void {
    this.#s[fields.ended] |= 1 << drive;
    this.#s[fields.st0 + drive] = status;
  }

  #senseInterrupt(): void {
    const s = this.#s;
    const drive = [0, 1, 2, 3].find((each) => ((s[fields.ended] >> each) & 1) !== 0);
    if (drive === undefined) {
      this.#answer(st0.invalid);
      return;
    }
    s[fields.ended] &= ~(1 << drive);
    this.#setIrq(0);
    this.#answer(s[fields.st0 + drive], s[fields.cylinders + drive]);
  }

  /** The three status bytes and where it stopped; then the interrupt. */
  #finish([zero, one, two]: Outcome[0], place: Outcome[1]): void {
    this.#answer(zero | (this.#s[fields.bytes + 1] & 7), one, two, ...place);
    this.#setIrq(1);
  }

  #answer(...bytes: readonly number[]): void {
    const s = this.#s;
    s.set(bytes, fields.bytes);
    s[fields.phase] = RESULT;
    s[fields.length] = bytes.length;
    s[fields.position] = 0;
  }

  #takeResult(): number {
    const s = this.#s;
    if (s[fields.phase] !== RESULT) return 0xff;
    if (s[fields.position] === 0 && s[fields.length] === 7) this.#setIrq(0);
    const value = s[fields.bytes + s[fields.position]++];
    if (s[fields.position] >= s[fields.length]) {
      s[fields.phase] = IDLE;
      s[fields.length] = 0;
    }
    return value;
  }

  #halt(): void {
    const s = this.#s;
    s[fields.phase] = IDLE;
    s[fields.length] = 0;
    s[fields.seeking] = 0;
    s[fields.ended] = 0;
    writeWide(s, fields.due, 0);
    this.#setIrq(0);
  }

  /** All four drives tell that their line has changed. */
  #reset(): void {
    this.#halt();
    for (let drive = 0; drive < DRIVES; drive++) this.#ended(drive, st0.notReady | drive);
    this.#setIrq(1);
  }

  #dueAfter(micros: number): void {
    writeWide(this.#s, fields.due, this.#micros.ticksAt(this.#wires.now()) + micros);
  }

  /** The card lets it through only where the output register says so. */
  #setIrq(level: number): void {
    this.#s[fields.irq] = level;
    this.#wires.irq((this.#s[fields.dor] & dorBits.interrupts) !== 0 ? level : 0);
  }
}
