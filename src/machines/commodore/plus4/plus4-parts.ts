/**
 * What is soldered to what in a Plus/4, a C16 and a C116. All state lies in one buffer (`plus4Layout`).
 *
 * Not emulated: the 1551's parallel port at $FEC0 and $FEE0, what a modem would be plugged into, and light pens, of which the TED
 * knows nothing.
 */

import { Acia6551 } from '../../../chips/acia6551/acia6551.ts';
import { Mos6510 } from '../../../chips/mos6510/mos6510.ts';
import { type TedState, fields as tedFields } from '../../../chips/ted/fields.ts';
import { frameBytes, type TedModel } from '../../../chips/ted/models.ts';
import { TedSound } from '../../../chips/ted/sound.ts';
import { Ted } from '../../../chips/ted/ted.ts';
import { newBoardMemory } from '../board/board-memory.ts';
import { exitRegister } from '../board/exit-register.ts';
import type { Bus } from '../board/family-board.ts';
import { LazySound } from '../board/sound-clock.ts';
import type { BoardClock, StateWords } from '../board/state-words.ts';
import { Datasette } from '../drive/datasette.ts';
import { DriveSet } from '../drive/drive-set.ts';
import type { DriveRoms } from '../drive/real-drive.ts';
import { BoardTime } from './board-time.ts';
import { IoArea } from './io-area.ts';
import { KeyboardLatch } from './keyboard-latch.ts';
import { MemoryMap, type Plus4Roms, romBytes } from './memory-map.ts';
import { type BoardState, boardFields, plus4Layout } from './plus4-state.ts';
import { fillPowerUpPattern } from './power-up.ts';
import { ProcessorPort } from './processor-port.ts';

export interface Plus4Options {
  readonly roms: Plus4Roms;
  readonly video?: TedModel;
  /** Kilobytes of RAM. */
  readonly ram?: 16 | 32 | 64;
  /** A C16 has neither the ACIA nor the chip at the user port. */
  readonly hasUserPort?: boolean;
  /** The DOS of drives, by model: those are real ones. */
  readonly driveRoms?: DriveRoms | undefined;
  /** Makes $FDCF the exit-code register of VICE's test programs. */
  readonly debugCart?: boolean;
  /** Puts the state where other threads can read it. */
  readonly shared?: boolean;
  /** Runs every chip in every cycle: the same machine, slower, to prove the lazy one right. */
  readonly eager?: boolean;
}

export class Plus4Parts {
  readonly cpu: Mos6510;
  readonly ted: Ted;
  readonly sound: TedSound;
  readonly soundClock: LazySound;
  readonly acia: Acia6551 | undefined;
  readonly drives: DriveSet;
  readonly tape: Datasette;
  readonly memory: MemoryMap;
  readonly port: ProcessorPort;
  readonly keyboard: KeyboardLatch;
  readonly io: IoArea;
  readonly time: BoardTime;
  readonly bytes: Uint8Array;
  /** The same, as words. */
  readonly words: StateWords;
  readonly ram: Uint8Array;
  /** The half cycle that it is, and that of the sound. */
  readonly clock: BoardClock;
  readonly frame: Uint8Array;
  readonly tedState: TedState;
  readonly board: BoardState;
  readonly #seen = new Uint8Array(256);

  constructor(options: Plus4Options, bus: Bus) {
    const { roms, video = 'pal', ram = 64, hasUserPort = true, shared = false, eager = false } = options;
    const sizes = { roms: romBytes, frame: frameBytes };
    const { views, bytes, words, all, frame } = newBoardMemory(plus4Layout, sizes, shared);
    this.bytes = bytes;
    this.words = words;
    this.ram = views.ram;
    this.clock = views.clock;
    this.frame = frame;
    this.tedState = views.ted as TedState;
    this.board = views.board as BoardState;

    this.memory = new MemoryMap(all, bytes.length, roms, ram * 1024);
    this.cpu = new Mos6510(views.cpu, bus);
    const { memory } = this;
    const tedWires = { memory: memory.bytes, ram: memory.tedRam, rom: memory.tedRom, frame };
    this.ted = new Ted(this.tedState, { ...tedWires, cpuByte: () => this.#cpuByte() }, video);
    this.sound = new TedSound(views.sound);
    this.soundClock = new LazySound(this.clock, this.sound);
    const wires = { send: () => undefined, isConnected: false };
    this.acia = hasUserPort ? new Acia6551(views.acia, wires, this.clockHz) : undefined;
    const planAnew = () => this.time.planAnew();
    // Drives and the datasette know nothing of the double clock.
    const now = () => Math.floor(this.cycles / 2);
    this.drives = new DriveSet(views.drives, {
      now,
      setSerialLines: (clock, data) => this.port.setSerialLines(clock, data),
      planAnew,
      clockHz: () => this.clockHz / 2,
      driveRoms: options.driveRoms,
      eager,
      // TED takes most of two lines in a row, with too little between them to take a bit and see that it is over.
      bitTime: 140,
    });
    this.tape = new Datasette(views.tape, this.drives.shelf, {
      now,
      pulse: () => undefined,
      wave: (low) => this.time.tapeWave(low),
      setSense: (isDown) => {
        this.board[boardFields.tapeSense] = isDown ? 1 : 0;
      },
      planAnew,
    });
    this.port = new ProcessorPort(this.board, {
      serialChanged: (atn, clock, data) => this.drives.setComputerLines(atn, clock, data),
      setTapeMotor: (isOn) => this.tape.setMotor(isOn),
      setTapeWrite: (isHigh) => this.tape.setWrite(isHigh),
    });
    this.keyboard = new KeyboardLatch(this.board);
    const { cpu, ted, drives, tape, acia } = this;
    this.time = new BoardTime(this.words, this.clock, eager, { cpu, ted, memory, bus, drives, tape, acia });
    this.io = new IoArea({
      ted,
      sound: this.sound,
      acia,
      port: this.port,
      keyboard: this.keyboard,
      memory,
      board: this.board,
      busByte: () => this.tedState[tedFields.bus],
      isSingleClock: () => this.tedState[tedFields.single] !== 0,
      tedLooksElsewhere: () => this.tedLooksElsewhere(),
      rebank: () => this.rebank(),
      catchUpAcia: () => this.time.planAnew(),
      catchUpSound: () => this.soundClock.catchUp(),
      catchUpDrives: () => this.drives.catchUpLines(),
      exit: exitRegister(options.debugCart === true, this.board, boardFields.exitCode),
    });
  }

  /** Half cycles of the single clock since power-up. */
  get cycles(): number {
    return this.clock[0];
  }

  get clockHz(): number {
    return this.ted.timing.clockHz;
  }

  rebank(): void {
    this.memory.bank(this.tedState[tedFields.romSelected] !== 0, this.board[boardFields.romBank]);
    this.ted.lookAround();
  }

  tedLooksElsewhere(): void {
    this.ted.lookAround();
    this.ted.markPagesSeen(this.#seen);
    this.memory.seenByTed(this.#seen);
  }

  /** What the processor wants to read while it is held up. */
  #cpuByte(): number {
    const address = this.cpu.nextRead;
    const base = address < 0 ? -1 : (this.memory.reads[address >> 8] as number);
    if (address >= 0 && address < 0x100) return this.ram[address] as number;
    return base < 0 ? this.tedState[tedFields.bus] : (this.memory.bytes[base + address] as number);
  }

  powerUp(): void {
    const presence = this.drives.presence();
    const tape = this.tape.kept();
    this.bytes.fill(0);
    this.drives.powerUp(presence);
    Object.assign(this.board, {
      [boardFields.iecClock]: 1,
      [boardFields.iecData]: 1,
      [boardFields.tapeRead]: 1,
      [boardFields.columns]: 0xff,
      [boardFields.userPort]: 0xff,
      [boardFields.userPins]: 0xff,
    });
    fillPowerUpPattern(this.ram);
    this.ted.powerOn();
    this.tedLooksElsewhere();
    this.sound.powerOn();
    this.tape.powerUp(tape);
    this.cpu.powerUp();
    this.reset();
  }

  /** The RES line. */
  reset(): void {
    this.time.planAnew();
    this.ted.reset();
    this.acia?.reset();
    this.board[boardFields.romBank] = 0;
    this.rebank();
    this.cpu.reset();
    this.drives.reset();
    this.port.reset();
  }

  /** Brings everything that runs lazily up to the present. */
  catchUp(): void {
    this.time.catchUpTed();
    this.time.planAnew();
    this.soundClock.catchUp();
    this.drives.bringUpToDate();
    this.cpu.forget();
    this.#forgetBus();
  }

  /** Clears what is left on the bus and cannot matter any more, because the next opcode is about to pass over it. */
  #forgetBus(): void {
    if (this.cpu.atInstruction && !this.ted.seesOpenBus) this.tedState[tedFields.bus] = 0;
  }

  /** Rebuilds what is only a consequence of the state, after somebody wrote to it. */
  restored(): void {
    this.rebank();
    this.tedLooksElsewhere();
    this.drives.restored();
    this.tape.restored();
    this.port.changed();
  }
}
