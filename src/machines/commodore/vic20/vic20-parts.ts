/**
 * What is soldered to what in a VIC-20. All state lies in one buffer (`vic20Layout`).
 *
 * Not emulated: the time that measuring a paddle takes, cartridges with registers of their own other than a GeoRAM.
 */

import { Mos6510 } from '../../../chips/mos6510/mos6510.ts';
import { fields as cpuFields } from '../../../chips/mos6510/registers.ts';
import { type Mos6560State, fields as vicFields } from '../../../chips/mos6560/fields.ts';
import { type Mos6560Model, mostFrameBytes } from '../../../chips/mos6560/models.ts';
import { Mos6560 } from '../../../chips/mos6560/mos6560.ts';
import { Mos6560Sound } from '../../../chips/mos6560/sound.ts';
import type { Via6522State } from '../../../chips/via6522/fields.ts';
import { Via6522 } from '../../../chips/via6522/via6522.ts';
import { newBoardMemory } from '../board/board-memory.ts';
import { exitRegister } from '../board/exit-register.ts';
import type { Bus } from '../board/family-board.ts';
import { LazySound } from '../board/sound-clock.ts';
import type { BoardClock, StateWords } from '../board/state-words.ts';
import { Datasette } from '../drive/datasette.ts';
import { DriveSet } from '../drive/drive-set.ts';
import type { DriveRoms } from '../drive/real-drive.ts';
import { BoardTime } from './board-time.ts';
import { Vic20GeoRam } from './geo-ram.ts';
import { IoArea } from './io-area.ts';
import { LightPen } from './light-pen.ts';
import { type Expansion, expansions, type RamBlock } from './memory-expansion.ts';
import { MemoryMap, romBytes, type Vic20Roms } from './memory-map.ts';
import { fillPowerUpPattern } from './power-up.ts';
import { ViaPorts } from './via-ports.ts';
import { type BoardState, boardFields, vic20Layout } from './vic20-state.ts';

export interface Vic20Options {
  readonly roms: Vic20Roms;
  readonly vic?: Mos6560Model;
  /** RAM that is plugged in, by its usual name or by blocks. */
  readonly expansion?: Expansion | readonly RamBlock[];
  /** Kilobytes of a GeoRAM. */
  readonly geoRam?: number;
  /** The DOS of drives, by model: those are real ones. */
  readonly driveRoms?: DriveRoms | undefined;
  /** Makes $910F the exit-code register of VICE's test programs. */
  readonly debugCart?: boolean;
  /** Puts the state where other threads can read it. */
  readonly shared?: boolean;
  /** Runs every chip in every cycle: the same machine, slower, to prove the lazy one right. */
  readonly eager?: boolean;
}

export class Vic20Parts {
  readonly cpu: Mos6510;
  readonly vic: Mos6560;
  readonly via1: Via6522;
  readonly via2: Via6522;
  readonly sound: Mos6560Sound;
  readonly soundClock: LazySound;
  readonly drives: DriveSet;
  readonly tape: Datasette;
  readonly lightPen: LightPen;
  readonly memory: MemoryMap;
  readonly ports: ViaPorts;
  readonly io: IoArea;
  readonly time: BoardTime;
  readonly bytes: Uint8Array;
  /** The same, as words. */
  readonly words: StateWords;
  readonly ram: Uint8Array;
  readonly color: Uint8Array;
  /** The cycle that it is, and that of the sound. */
  readonly clock: BoardClock;
  readonly frame: Uint8Array;
  readonly vicState: Mos6560State;
  readonly board: BoardState;

  constructor(options: Vic20Options, bus: Bus) {
    const { roms, vic = '6561', expansion = 'none', geoRam = 0, shared = false, eager = false } = options;
    const { offsets, byteLength } = vic20Layout;
    const sizes = { more: geoRam * 1024, roms: romBytes, frame: mostFrameBytes() };
    const { views, bytes, words, all, frame } = newBoardMemory(vic20Layout, sizes, shared);
    this.bytes = bytes;
    this.words = words;
    this.ram = views.ram;
    this.color = views.color;
    this.frame = frame;
    this.clock = views.clock;
    this.vicState = views.vic as Mos6560State;
    this.board = views.board as BoardState;
    const [v1, v2] = [views.via1 as Via6522State, views.via2 as Via6522State];

    const blocks = typeof expansion === 'string' ? expansions[expansion] : expansion;
    this.memory = new MemoryMap(all, offsets.color, bytes.length, roms, blocks);
    this.cpu = new Mos6510(views.cpu, bus);
    this.vic = new Mos6560(
      this.vicState,
      { memory: this.memory.bytes, pages: this.memory.vicPages, color: this.color, frame: this.frame },
      vic,
      eager,
    );
    this.via1 = new Via6522(v1);
    this.via2 = new Via6522(v2);
    this.sound = new Mos6560Sound(views.sound);
    this.soundClock = new LazySound(this.clock, this.sound);
    const now = () => this.cycles;
    const planAnew = () => this.time.catchUpVias();
    this.drives = new DriveSet(views.drives, {
      now,
      setSerialLines: (clock, data) => this.ports.setSerialLines(clock, data),
      planAnew,
      clockHz: () => this.clockHz,
      driveRoms: options.driveRoms,
      eager,
    });
    this.tape = new Datasette(views.tape, this.drives.shelf, {
      now,
      pulse: () => {
        this.via2.setCa1(0);
        this.via2.setCa1(1);
      },
      setSense: (isDown) => this.ports.setTapeSense(isDown),
      planAnew,
    });
    this.ports = new ViaPorts(this.via1, v1, v2, this.board, {
      serialChanged: (atn, clock, data) => this.drives.setComputerLines(atn, clock, data),
      setLightPen: (level) => this.vic.setLightPen(level),
      setTapeMotor: (isOn) => this.tape.setMotor(isOn),
      setTapeWrite: (isHigh) => this.tape.setWrite(isHigh),
    });
    this.lightPen = new LightPen(
      this.board,
      this.vicState,
      () => this.vic.timing,
      () => this.ports.sense(),
    );
    const { cpu, vic: chip, via1, via2, ports, memory } = this;
    const chips = { cpu, vic: chip, via1, via2, ports, memory };
    this.time = new BoardTime(this.words, this.clock, eager, {
      ...chips,
      bus,
      timed: [this.drives, this.tape, this.lightPen],
    });
    this.io = new IoArea({
      ...chips,
      sound: this.sound,
      color: this.color,
      geoRam: geoRam === 0 ? undefined : new Vic20GeoRam(this.bytes.subarray(byteLength), this.board),
      busByte: () => this.board[boardFields.busByte],
      videoByte: () => this.videoByte(),
      catchUpVias: planAnew,
      catchUpSound: () => this.soundClock.catchUp(),
      catchUpDrives: () => this.drives.catchUpLines(),
      exit: exitRegister(options.debugCart === true, this.board, boardFields.exitCode),
    });
  }

  /** Cycles since power-up. */
  get cycles(): number {
    return this.clock[0];
  }

  /** Cycles in a second. */
  get clockHz(): number {
    return this.vic.timing.clockHz;
  }

  /** Another chip in the socket, and other RAM in the expansion port. What the chips do stays; a new frame begins. */
  refit(vic: Mos6560Model, blocks: readonly RamBlock[]): void {
    this.catchUp();
    this.vic.refit(vic);
    this.memory.expand(blocks);
    this.restored();
  }

  powerUp(): void {
    const presence = this.drives.presence();
    const tape = this.tape.kept();
    this.bytes.fill(0);
    this.drives.powerUp(presence);
    Object.assign(this.board, {
      [boardFields.iecClock]: 1,
      [boardFields.iecData]: 1,
      [boardFields.userPort]: 0xff,
    });
    fillPowerUpPattern(this.ram.subarray(0, 0x8000));
    this.vic.powerOn();
    this.memory.seenByVic(this.vic.pagesSeen);
    this.sound.powerOn();
    this.via1.powerOn();
    this.via2.powerOn();
    this.tape.powerUp(tape);
    this.cpu.powerUp();
    this.reset();
  }

  /** The RES line: it reaches the processor and the VIAs, not the VIC. */
  reset(): void {
    this.time.catchUpVias();
    this.via1.reset();
    this.via2.reset();
    this.cpu.reset();
    this.drives.reset();
    this.ports.changed();
  }

  /** What is on the half of the bus that the VIC shares: its own byte while it fetches, else what came last. */
  videoByte(): number {
    const { vic, vicState } = this;
    vic.catchUpFetches();
    const left = vicState[vicFields.busByte];
    return vic.isFetching || left < 0 ? vicState[vicFields.fetched] : left;
  }

  /** Brings everything that runs lazily up to the present. */
  catchUp(): void {
    this.vic.catchUp();
    this.time.catchUpVias();
    this.soundClock.catchUp();
    this.drives.bringUpToDate();
    this.cpu.forget();
    this.#forgetBus();
  }

  /**
   * Clears what is left on the bus and cannot matter any more because the next opcode is about to pass over it: what is left
   * then depends on how the last instruction was run.
   */
  #forgetBus(): void {
    const { cpu, memory, board, vicState } = this;
    const page = cpu.state[cpuFields.pc] >> 8;
    if (!cpu.atInstruction || (memory.reads[page] as number) < 0) return;
    board[boardFields.busByte] = 0;
    if (memory.video[page] === 0 || (vicState[vicFields.seesOpenBus] !== 0 && this.vic.isFetching)) return;
    vicState[vicFields.busByte] = 0;
    vicState[vicFields.busAddress] = -1;
  }

  /** Rebuilds what is only a consequence of the state, after somebody wrote to it. */
  restored(): void {
    this.memory.seenByVic(this.vic.pagesSeen);
    this.drives.restored();
    this.tape.restored();
    this.ports.changed();
  }
}
