import { AtaChannel } from '../../../chips/ata/ata-channel.ts';
import { AtapiChannel } from '../../../chips/atapi/atapi-channel.ts';
import { CdDrive } from '../../../chips/cd-drive/cd-drive.ts';
import { Gameport } from '../../../chips/gameport/gameport.ts';
import { GmSynth } from '../../../chips/gm-synth/gm-synth.ts';
import { I8042 } from '../../../chips/i8042/i8042.ts';
import { I8237 } from '../../../chips/i8237/i8237.ts';
import { I8254 } from '../../../chips/i8254/i8254.ts';
import { I8259Pair } from '../../../chips/i8259/i8259-pair.ts';
import { I8272 } from '../../../chips/i8272/i8272.ts';
import { type CalendarTime, Mc146818 } from '../../../chips/mc146818/mc146818.ts';
import { Mpu401 } from '../../../chips/mpu401/mpu401.ts';
import { Ns16550 } from '../../../chips/ns16550/ns16550.ts';
import { SerialMouse } from '../../../chips/ns16550/serial-mouse.ts';
import { Opl2 } from '../../../chips/opl2/opl2.ts';
import { PcSpeaker } from '../../../chips/pc-speaker/pc-speaker.ts';
import { Sn76496 } from '../../../chips/sn76496/sn76496.ts';
import { SoundBlaster } from '../../../chips/sound-blaster/sound-blaster.ts';
import type { SoundSink } from '../../../chips/sound-sink.ts';
import { linearBuffer, memoryBytes, fields as vgaFields, vgaMemoryBytes } from '../../../chips/vga/fields.ts';
import { Vga } from '../../../chips/vga/vga.ts';
import { X86Memory } from '../../../chips/x86/memory.ts';
import { coprocessorOf, type Model } from '../../../chips/x86/models.ts';
import { fields as cpuFields } from '../../../chips/x86/registers.ts';
import type { RunEnd } from '../../../chips/x86/run-end.ts';
import { X86 } from '../../../chips/x86/x86.ts';
import { X87 } from '../../../chips/x87/x87.ts';
import type { Disc } from '../../../formats/cd/disc.ts';
import type { TimeSlice } from '../../shared/time-slice.ts';
import { connectPorts } from './connect-ports.ts';
import type { BoardDisk } from './disk-media.ts';
import { ParallelPort } from './parallel-port.ts';
import { type PcLayout, pcLayout } from './pc-layout.ts';
import { PortMap } from './port-map.ts';
import { blasterOf, hasBlaster, hasOpl3, type SoundCard, usualCard } from './sound-cards.ts';
import { WaitingLoops } from './waiting-loops.ts';

export interface PcOptions {
  readonly model: Model;
  readonly instructionsPerSecond: number;
  readonly extendedKilobytes: number;
  /** What the clock shows when the machine is switched on. */
  readonly date: CalendarTime;
  readonly rom: Uint8Array;
  readonly sink: SoundSink;
  /** A Microsoft mouse at COM2 instead of a console. */
  readonly serialMouse?: boolean | undefined;
  /** Its socket is not empty; that is so without a word about it. */
  readonly coprocessor?: boolean | undefined;
  /** A Sound Blaster 2.0 without a word about it. */
  readonly sound?: SoundCard | undefined;
  /** CD-ROM drives, four at most; none without a word about it. */
  readonly cdDrives?: number | undefined;
}

/** What leaves the board, and the services behind the callback instruction. */
export interface PcWires {
  callback(number: number): 'done' | 'wait' | 'jump';
  serial(port: 0 | 1, byte: number): void;
  print(byte: number): void;
  /** A byte leaves for MIDI instruments. */
  midi?(byte: number): void;
  /** By BIOS number: 0 and 1 are floppies, 80h and 81h hard disks. */
  disk?(number: number): BoardDisk | undefined;
  wasReset?(): void;
}

const upperStart = 0xc0000;
const romStart = 0xf0000;
const serialIrqs = [4, 3] as const;
/** What it costs to let the devices catch up, in the processor's rounds. */
const eventRounds = 100;
/** What is copied in one go. */
const pieceBytes = 1024 * 1024;

interface Timed {
  nextEvent(): number;
  catchUp(count: number): void;
}

/** The chips of a PC and their wires. Time passes in `run` alone; devices act at exact instruction counts. */
export class PcBoard {
  readonly options: PcOptions;
  readonly layout: PcLayout;
  readonly bytes: Uint8Array;
  readonly ports = new PortMap();
  readonly memory: X86Memory;
  readonly cpu: X86;
  readonly fpu: X87 | null;
  readonly pic: I8259Pair;
  readonly pit: I8254;
  readonly kbc: I8042;
  readonly rtc: Mc146818;
  readonly dma: I8237;
  readonly vga: Vga;
  readonly serial: readonly [Ns16550, Ns16550];
  readonly serialMouse: SerialMouse;
  readonly speaker: PcSpeaker;
  readonly opl: Opl2;
  readonly blaster: SoundBlaster;
  readonly tandy: Sn76496;
  readonly synth: GmSynth;
  readonly sound: SoundCard;
  readonly mpu: Mpu401;
  readonly gameport: Gameport;
  readonly fdc: I8272;
  readonly ata: AtaChannel;
  /** The first two of the CD-ROM drives. */
  readonly atapi: AtapiChannel;
  /** CD-ROM drives, in the order of their letters. */
  readonly cds: readonly CdDrive<Disc>[];
  /** What plays only when somebody listens. */
  readonly heard: readonly { catchUp(count: number): void }[];
  /** The state of each chip, for those who look. */
  readonly parts: ReturnType<PcLayout['views']>;
  readonly loops: WaitingLoops;
  readonly #timed: readonly Timed[];
  /** Where the processor's present run ends; devices that act before it end it early. */
  #target = 0;
  #isEarly = false;
  #stopWanted = false;
  #lookWanted = false;
  #resetWanted = false;
  #isRunning = false;
  readonly #wasReset: PcWires['wasReset'];

  constructor(options: PcOptions, wires: PcWires) {
    this.options = options;
    this.#wasReset = wires.wasReset;
    this.layout = pcLayout(options.extendedKilobytes);
    this.bytes = new Uint8Array(this.layout.byteLength);
    const parts = this.layout.views(this.bytes.buffer);
    this.parts = parts;
    this.memory = new X86Memory(parts.ram);
    const { ports, memory } = this;
    const time = { now: () => this.cpu.instructions, instructionsPerSecond: options.instructionsPerSecond };
    this.pic = new I8259Pair(parts.pic, { int: (level) => this.cpu.setInterruptLine(level !== 0) });
    const irq = (line: number) => (level: number) => this.pic.setIrq(line, level);
    this.fpu = options.coprocessor === false ? null : this.#coprocessor();
    this.cpu = new X86({
      model: options.model,
      coprocessor: this.fpu,
      state: parts.cpu,
      memory,
      wires: {
        in: (port, width) => ports.in(port, width),
        out: (port, width, value) => ports.out(port, width, value),
        // Services reach devices by ports, which see to the next event themselves.
        callback: (number) => wires.callback(number),
        interruptVector: () => this.pic.acknowledge(),
      },
    });
    this.pit = new I8254(parts.pit, { ...time, out0: irq(0) });
    this.kbc = new I8042(parts.kbc, {
      ...time,
      keyboardIrq: irq(1),
      mouseIrq: irq(12),
      a20: (level) => {
        memory.a20 = level !== 0;
      },
      reset: () => this.reset(),
    });
    this.rtc = new Mc146818(parts.rtc, { ...time, irq: irq(8) });
    this.dma = new I8237(parts.dma, {
      readMemory: (address) => memory.read8(address),
      writeMemory: (address, value) => memory.write8(address, value),
    });
    this.vga = new Vga(parts.vga, parts.vram, time);
    const uart = (port: 0 | 1) =>
      new Ns16550(port === 0 ? parts.com1 : parts.com2, {
        ...time,
        irq: irq(serialIrqs[port]),
        transmit: (byte) => {
          if (port === 0 || !options.serialMouse) wires.serial(port, byte);
        },
        control: (lines) => {
          if (port === 1 && options.serialMouse) this.serialMouse.control(lines);
        },
      });
    this.serial = [uart(0), uart(1)];
    this.serialMouse = new SerialMouse(parts.mouse, { send: (bytes) => this.serial[1].receive(bytes) });
    this.speaker = new PcSpeaker(parts.speaker, {
      ...time,
      sink: options.sink,
      gate2: (level) => this.pit.setGate(2, level),
      out2: () => this.pit.output(2),
      timerTicks: (count) => this.pit.ticksAt(count),
      highTicks2: (from, to) => this.pit.highTicks2(from, to),
    });
    const { sink, sound = usualCard } = options;
    this.sound = sound;
    // On these cards the mixer has a volume for it.
    const mixed = {
      get active() {
        return sink.active;
      },
      add: (index: number, value: number) => sink.add(index, value * this.blaster.musicGain),
    };
    const isOpl3 = hasOpl3(sound);
    this.opl = new Opl2(parts.opl, { ...time, sink: isOpl3 ? mixed : sink }, isOpl3 ? parts.opl3 : undefined);
    this.tandy = new Sn76496(parts.tandy, { ...time, sink });
    this.synth = new GmSynth(parts.synth, { ...time, sink });
    this.blaster = new SoundBlaster(parts.sb, {
      ...time,
      sink: options.sink,
      model: blasterOf(sound),
      irq: (line, level) => this.pic.setIrq(line, level),
      dma: (channel, value) => this.dma.transfer(channel, value),
      mixes: () => this.opl.catchUp(this.cpu.instructions),
    });
    this.mpu = new Mpu401(parts.mpu, {
      send: (byte) => {
        this.synth.play(byte);
        wires.midi?.(byte);
      },
    });
    this.gameport = new Gameport(parts.gameport, time);
    this.fdc = new I8272(parts.fdc, {
      ...time,
      irq: irq(6),
      dma: (value) => this.dma.transfer(2, value),
      disk: (drive) => (drive < 2 ? wires.disk?.(drive) : undefined),
    });
    this.ata = new AtaChannel(parts.ata, { ...time, irq: irq(14), disk: (drive) => wires.disk?.(0x80 + drive) });
    this.cds = [parts.cd1, parts.cd2, parts.cd3, parts.cd4]
      .slice(0, options.cdDrives ?? 0)
      .map((state) => new CdDrive<Disc>(state, { ...time, sink: options.sink }));
    this.atapi = new AtapiChannel(parts.atapi, { ...time, irq: irq(15), drive: (index) => this.cds[index] });
    this.heard = [this.speaker, this.opl, this.tandy, this.synth, ...this.cds];
    this.#timed = [
      this.pit,
      this.kbc,
      this.rtc,
      ...this.serial,
      this.fdc,
      this.ata,
      this.atapi,
      ...(hasBlaster(sound) ? [this.blaster] : []),
    ];
    connectPorts(this, new ParallelPort(parts.board, wires.print));
    memory.addDevice({
      first: 0xa0000,
      last: 0xbffff,
      read: (address) => this.vga.readMemory(address),
      write: (address, value) => this.vga.writeMemory(address, value),
      writeMany: (address, bytes) => this.vga.writeManyBytes(address, bytes),
      peek: (address) => this.vga.peekMemory(address),
    });
    memory.addDevice({
      first: linearBuffer,
      last: linearBuffer + memoryBytes - 1,
      read: (address) => this.vga.readLinear(address - linearBuffer),
      write: (address, value) => this.vga.writeLinear(address - linearBuffer, value),
      peek: (address) => this.vga.readLinear(address - linearBuffer),
    });
    memory.protect(romStart, 0xfffff);
    this.loops = new WaitingLoops(this);
    this.powerOn();
  }

  /** As the mains switch does it. */
  powerOn(): void {
    this.bytes.fill(0);
    this.parts.ram.set(this.options.rom, romStart);
    for (const chip of [this.pic, this.pit, this.kbc, this.dma, this.vga, ...this.serial]) chip.powerOn();
    for (const chip of [this.speaker, this.opl, this.blaster, this.mpu, this.gameport, this.serialMouse, ...this.cds])
      chip.powerOn();
    for (const chip of [this.tandy, this.synth, this.fdc, this.ata, this.atapi]) chip.powerOn();
    this.rtc.powerOn(this.options.date);
    this.cpu.reset();
    this.fpu?.powerOn();
    this.#restored();
  }

  /** Pages of expanded memory. */
  get expanded(): Uint8Array {
    return this.parts.ems;
  }

  get videoMemory(): Uint8Array {
    return this.parts.vram;
  }

  get instructions(): number {
    return this.cpu.instructions;
  }

  /**
   * Runs until so many instructions have been executed, or until the processor stops for another reason. `leaving` gets past
   * a breakpoint at the first instruction. `effort` is how much work may be done on the way, in the processor's rounds.
   */
  run(until: number, leaving = false, effort = Number.POSITIVE_INFINITY): RunEnd {
    this.#stopWanted = false;
    this.#lookWanted = false;
    this.cpu.limitEffort(effort);
    this.#isRunning = true;
    try {
      return this.#runOn(until, leaving);
    } finally {
      this.#isRunning = false;
    }
  }

  #runOn(until: number, leaving: boolean): RunEnd {
    for (let first = true; ; first = false) {
      this.#isEarly = false;
      this.#target = Math.min(until, this.#nextEvent());
      if (this.#lookWanted && !first) {
        this.#lookWanted = false;
        this.loops.pass(this.#target);
        this.#catchUp();
        if (this.cpu.instructions >= until) return { reason: 'count' };
        continue;
      }
      const end = this.cpu.run(Math.max(this.#target, this.cpu.instructions), leaving && first);
      this.#catchUp();
      this.cpu.tire(eventRounds);
      // Not left for the next run: what is saved between two runs must have it.
      const wasReset = this.#resetWanted;
      if (wasReset) this.#reset();
      if (
        !wasReset &&
        end.reason !== 'count' &&
        !(end.reason === 'stop' && (this.#isEarly || this.#lookWanted) && !this.#stopWanted)
      ) {
        return end;
      }
      if (this.cpu.instructions >= until) return { reason: 'count' };
    }
  }

  /** Ends the present run after the present instruction. */
  stop(): void {
    this.#stopWanted = true;
    this.cpu.stop();
  }

  /** A service was called: a program that does nothing else may be waiting. */
  serviceCalled(): void {
    if (!this.loops.called()) return;
    this.#lookWanted = true;
    this.cpu.stop();
  }

  /** Something from outside may have given a device something to do. */
  reschedule(): void {
    if (this.#nextEvent() >= this.#target) return;
    this.#isEarly = true;
    this.cpu.stop();
  }

  snapshot(into: Uint8Array = new Uint8Array(this.bytes.length)): Uint8Array {
    if (this.#usesSvga(into)) into.fill(0, this.#usualBytes);
    into.set(this.#usesSvga(this.bytes) ? this.bytes : this.bytes.subarray(0, this.#usualBytes));
    return into;
  }

  /** The same, between others' turns: while nothing moves the machine. */
  async snapshotInPieces(slice: TimeSlice): Promise<Uint8Array> {
    const into = new Uint8Array(this.bytes.length);
    const end = this.#usesSvga(this.bytes) ? this.bytes.length : this.#usualBytes;
    for (let at = 0; at < end; at += pieceBytes) {
      if (slice.isOver) await slice.next();
      into.set(this.bytes.subarray(at, Math.min(end, at + pieceBytes)), at);
    }
    return into;
  }

  restore(state: Uint8Array): void {
    if (this.#usesSvga(this.bytes)) this.bytes.fill(0, this.#usualBytes);
    this.bytes.set(this.#usesSvga(state) ? state : state.subarray(0, this.#usualBytes));
    this.#restored();
  }

  /** As `restore`, by somebody who puts a state in its place. */
  restoreFrom(fill: (bytes: Uint8Array) => void): void {
    fill(this.bytes);
    this.#restored();
  }

  /** As a driver switches address line 20. */
  setA20(on: boolean): void {
    this.kbc.writePort92(on ? 2 : 0);
  }

  /** Whether there is RAM between the video memory and the ROM; without it nothing answers there. */
  set hasUpperMemory(present: boolean) {
    this.memory.protect(upperStart, romStart - 1, !present);
  }

  /** What a board without that RAM shows there, or RAM that was just switched on. */
  fillUpperMemory(value: number): void {
    this.parts.ram.fill(value, upperStart, romStart);
    this.cpu.memoryReplaced(upperStart, romStart - 1);
  }

  /** The reset button: chips keep what they have, time goes on. */
  reset(): void {
    if (!this.#isRunning) {
      this.#reset();
      return;
    }
    this.#resetWanted = true;
    this.cpu.stop();
  }

  /** What IN would give at a port, without what a read does to devices. */
  peekPort(port: number): number {
    return this.undisturbed(() => this.ports.read8(port));
  }

  /** Lets somebody use devices by their ports: they are as they were afterwards. Memory must be left alone. */
  undisturbed<Result>(look: () => Result): Result {
    const devices = this.bytes.subarray(0, this.layout.offsets.ems);
    const before = devices.slice();
    const { watcher } = this.ports;
    this.ports.watcher = undefined;
    try {
      return look();
    } finally {
      this.ports.watcher = watcher;
      devices.set(before);
      this.cpu.setInterruptLine(this.pic.int);
    }
  }

  /** Writes memory as a debugger does, by linear address: also where the processor cannot, but not where no page is. */
  poke(address: number, bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; ) {
      const count = Math.min(bytes.length - from, 0x1000 - ((address + from) & 0xfff));
      const place = this.cpu.physical(address + from);
      if (place >= 0) this.#pokePhysical(place, bytes.subarray(from, from + count));
      from += count;
    }
  }

  #pokePhysical(address: number, bytes: Uint8Array): void {
    const { memory } = this;
    bytes.forEach((byte, index) => {
      const at = address + index;
      if (at >= memory.ram.length) memory.write8(at, byte);
      else if (at >= 0xa0000 && at <= 0xbffff) this.vga.writeMemory(at, byte);
      else memory.ram[memory.physical(at)] = byte;
    });
    this.cpu.memoryReplaced(address, address + bytes.length - 1);
  }

  /** All but the memory that only modes of later cards use. */
  get #usualBytes(): number {
    return this.layout.offsets.vram + vgaMemoryBytes;
  }

  #usesSvga(state: Uint8Array): boolean {
    return state[this.layout.offsets.vga + vgaFields.svgaUsed * 4] !== 0;
  }

  #restored(): void {
    this.memory.a20 = this.kbc.a20;
    this.#target = 0;
    this.#isEarly = false;
    this.#resetWanted = false;
    this.cpu.setInterruptLine(this.pic.int);
    this.cpu.memoryReplaced();
  }

  #reset(): void {
    this.#resetWanted = false;
    const words = this.parts.cpu;
    // Time goes on.
    const [low = 0, high = 0] = [words[cpuFields.countLow], words[cpuFields.countHigh]];
    this.cpu.reset();
    this.fpu?.powerOn();
    words[cpuFields.countLow] = low;
    words[cpuFields.countHigh] = high;
    this.cpu.setInterruptLine(this.pic.int);
    this.#wasReset?.();
  }

  #nextEvent(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const device of this.#timed) next = Math.min(next, device.nextEvent());
    return next;
  }

  #catchUp(): void {
    const { instructions } = this.cpu;
    for (const device of this.#timed) device.catchUp(instructions);
  }

  /**
   * An 8087 interrupts by the NMI, the others by IRQ 13, which stays up until a program writes to port F0h; unless the 486 is told
   * to make a fault of it.
   */
  #coprocessor(): X87 {
    const model = coprocessorOf(this.options.model);
    const error = model === '8087' ? () => this.cpu.requestNmi() : () => this.#numericError();
    return new X87(model, this.parts.fpu, { error });
  }

  #numericError(): void {
    if (!this.cpu.faultsNumerically) this.pic.setIrq(13, 1);
  }
}
