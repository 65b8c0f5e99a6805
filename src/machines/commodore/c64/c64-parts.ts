/**
 * What is soldered to what in a C64. All state lies in one buffer (`c64Layout`).
 *
 * Not emulated here: the user port's other pins, the 512 cycles that measuring a paddle takes, the switching glitches of the PLA and of the VIC's bank lines.
 */

import { IoPort } from '../../../chips/mos6510/io-port.ts';
import { Mos6510 } from '../../../chips/mos6510/mos6510.ts';
import { fields as cpuFields } from '../../../chips/mos6510/registers.ts';
import type { Mos6526State } from '../../../chips/mos6526/fields.ts';
import { Mos6526, type Mos6526Model } from '../../../chips/mos6526/mos6526.ts';
import { Sid, type SidModel } from '../../../chips/sid/sid.ts';
import type { Vic2State } from '../../../chips/vic2/fields.ts';
import type { Vic2Wires } from '../../../chips/vic2/memory-access.ts';
import { mostFrameBytes, type Vic2Model } from '../../../chips/vic2/models.ts';
import { Vic2 } from '../../../chips/vic2/vic2.ts';
import { newBoardMemory } from '../board/board-memory.ts';
import { exitRegister } from '../board/exit-register.ts';
import type { Bus } from '../board/family-board.ts';
import { LazySound } from '../board/sound-clock.ts';
import type { BoardClock, StateWords } from '../board/state-words.ts';
import { Datasette } from '../drive/datasette.ts';
import { DriveSet } from '../drive/drive-set.ts';
import type { DriveRoms } from '../drive/real-drive.ts';
import type { ExpansionRams } from '../expansions/expansion-rams.ts';
import { BoardTime } from './board-time.ts';
import { type BoardState, boardFields, c64Layout } from './c64-state.ts';
import { Cia2Port } from './cia2-port.ts';
import { ControlPorts } from './control-ports.ts';
import { ExpansionPort } from './expansion-port.ts';
import { FreezeButton } from './freeze-button.ts';
import { IoArea } from './io-area.ts';
import { LightPen } from './light-pen.ts';
import { type FittedMemory, MemoryExpansions } from './memory-expansions.ts';
import { MemoryMap, mapBytes, type RomImages } from './memory-map.ts';
import { MemoryView } from './memory-view.ts';
import { fillPowerUpPattern } from './power-up.ts';
import type { RamBoard } from './ram-banks.ts';
import type { Reu } from './reu.ts';
import { SidPair, usualSecondSid } from './second-sid.ts';

export interface C64BoardOptions {
  readonly roms: RomImages;
  readonly vic?: Vic2Model;
  readonly cia?: Mos6526Model;
  readonly sid?: SidModel;
  /** The address of a second SID, of the same model. */
  readonly sid2?: number | undefined;
  /** The DOS of drives, by model: those are real ones. */
  readonly driveRoms?: DriveRoms | undefined;
  /** An REU of so many KiB: 128, 256, 512, or a higher power of two up to 16,384. */
  readonly reu?: number | undefined;
  /** A GeoRAM of so many KiB: 64 to 4,096. */
  readonly geoRam?: number | undefined;
  /** A Double Quick Brown Box of so many KiB: 16, 32, 64, 128 or 256. */
  readonly dqbb?: number | undefined;
  /** A RAMCart of 64 or 128 KiB, its switch on read-only or not. */
  readonly ramCart?: number | undefined;
  readonly ramCartReadOnly?: boolean | undefined;
  /** An ISEPIC, its switch towards the computer (on) or away from it. */
  readonly isepic?: 'on' | 'off' | undefined;
  /** RAM that is soldered to the board. */
  readonly ramBanks?: RamBoard | undefined;
  /** Makes $D7FF the exit-code register of VICE's test programs. */
  readonly debugCart?: boolean;
  /** Puts the state where other threads can read it. */
  readonly shared?: boolean;
  /** Runs every chip in every cycle: the same machine, slower, to prove the lazy one right. */
  readonly eager?: boolean;
}

/** What is in the sockets. */
export interface C64Chips {
  readonly vic: Vic2Model;
  readonly cia1: Mos6526Model;
  readonly cia2: Mos6526Model;
  readonly sid: SidModel;
}

/** Of an expansion whose size nobody has said. */
const usualKilobytes = 512;

const expansionOf = (kilobytes: number | undefined, usual: number) => ({
  isIn: kilobytes !== undefined,
  kilobytes: kilobytes ?? usual,
});

function fittedAtFirst(options: C64BoardOptions): FittedMemory {
  const { reu, geoRam, dqbb, ramCart, ramCartReadOnly = false, isepic, ramBanks = 'none' } = options;
  return {
    reu: expansionOf(reu, usualKilobytes),
    geoRam: expansionOf(geoRam, usualKilobytes),
    dqbb: expansionOf(dqbb, 16),
    ramCart: { ...expansionOf(ramCart, 128), isReadOnly: ramCartReadOnly },
    isepic: { isIn: isepic !== undefined, isOn: isepic === 'on' },
    banks: ramBanks,
  };
}

export class C64Parts {
  readonly cpu: Mos6510;
  readonly port: IoPort;
  readonly vic: Vic2;
  readonly cia1: Mos6526;
  readonly cia2: Mos6526;
  readonly sid: Sid;
  readonly sids: SidPair;
  readonly soundClock: LazySound;
  readonly drives: DriveSet;
  readonly tape: Datasette;
  readonly lightPen: LightPen;
  readonly memory: MemoryView;
  readonly expansion: ExpansionPort;
  readonly memoryExpansions: MemoryExpansions;
  readonly freezeButton: FreezeButton;
  readonly controlPorts: ControlPorts;
  readonly cia2Port: Cia2Port;
  readonly io: IoArea;
  readonly time: BoardTime;
  readonly bytes: Uint8Array;
  /** The same, as words. */
  readonly words: StateWords;
  readonly ram: Uint8Array;
  readonly color: Uint8Array;
  /** The cycle that it is, and that of the SID. */
  readonly clock: BoardClock;
  readonly cartridgeState: Int32Array;
  readonly frame: Uint8Array;
  readonly #board: BoardState;

  constructor(options: C64BoardOptions, bus: Bus) {
    const {
      roms,
      vic = '6569',
      cia = '6526',
      sid = '6581',
      debugCart = false,
      shared = false,
      eager = false,
    } = options;
    const sizes = { roms: mapBytes, frame: mostFrameBytes() };
    const { views, bytes, words, all, frame } = newBoardMemory(c64Layout, sizes, shared);
    this.bytes = bytes;
    this.words = words;
    this.ram = views.ram;
    this.color = views.color;
    this.frame = frame;
    this.clock = views.clock;
    const cia1State = views.cia1 as Mos6526State;
    const cia2State = views.cia2 as Mos6526State;
    const vicState = views.vic as Vic2State;
    const sidState = views.sid;
    this.cartridgeState = views.cartridge;
    this.#board = views.board as BoardState;

    const map = new MemoryMap(all, bytes.length, roms);
    this.memory = new MemoryView(all, map, this.#board, (pages) => this.vic.markPagesSeen(pages));
    this.expansion = new ExpansionPort(
      map,
      this.#board,
      all,
      () => this.cycles,
      () => this.#remapped(),
    );
    this.cpu = new Mos6510(views.cpu, bus);
    this.port = new IoPort(views.port);
    this.vic = new Vic2(vicState, this.#vicWires(), vic, eager);
    this.cia1 = new Mos6526(cia1State, cia);
    this.cia2 = new Mos6526(cia2State, cia);
    this.sid = new Sid(sidState, sid);
    const second = { isIn: options.sid2 !== undefined, address: options.sid2 ?? usualSecondSid };
    this.sids = new SidPair(this.sid, new Sid(views.sid2, sid), second);
    this.soundClock = new LazySound(this.clock, this.sids);
    const now = () => this.cycles;
    const planAnew = () => this.time.catchUpCias();
    this.drives = new DriveSet(views.drives, {
      now,
      setSerialLines: (clock, data) => this.cia2Port.setSerialLines(clock, data),
      planAnew,
      clockHz: () => this.clockHz,
      driveRoms: options.driveRoms,
      eager,
    });
    this.tape = new Datasette(views.tape, this.drives.shelf, {
      now,
      pulse: () => {
        this.cia1.setFlag(0);
        this.cia1.setFlag(1);
      },
      setSense: (isDown) => this.port.setTapeSense(isDown),
      planAnew,
    });
    this.memoryExpansions = this.#newMemoryExpansions(options, views.rec, bus);
    this.freezeButton = new FreezeButton(this.#board, this.cpu.state, this.expansion);
    this.controlPorts = new ControlPorts(this.#board, cia1State, sidState, (level) => this.vic.setLightPen(level));
    this.lightPen = new LightPen(
      this.#board,
      vicState,
      () => this.vic.timing,
      () => this.controlPorts.sense(),
    );
    this.cia2Port = new Cia2Port(cia2State, this.#board, {
      serialChanged: (atn, clock, data) => this.drives.setComputerLines(atn, clock, data),
      bankChanging: () => this.vic.catchUpAccesses(),
      bankChanged: () => this.memory.rebankVic(),
    });
    this.time = new BoardTime(this.words, this.clock, eager, {
      ...this.#chips(),
      bus,
      timed: [this.drives, this.tape, this.lightPen, this.freezeButton, this.memoryExpansions],
      steadyRead: (address, cycles) => this.io.steadyRead(address, cycles),
    });
    this.io = new IoArea({
      ...this.#chips(),
      vicState,
      color: this.color,
      ports: this.controlPorts,
      expansion: this.expansion,
      catchUpCias: planAnew,
      catchUpSid: () => this.soundClock.catchUp(),
      catchUpDrives: () => this.drives.catchUpLines(),
      areLinesSure: (cycles) => this.drives.areLinesSure(this.cycles + cycles - 1),
      portAChanged: () => this.cia2Port.changed(),
      exit: exitRegister(debugCart, this.#board, boardFields.exitCode),
    });
  }

  #newMemoryExpansions(options: C64BoardOptions, controller: Int32Array, bus: Bus): MemoryExpansions {
    const { vic, ram, memory } = this;
    return new MemoryExpansions(fittedAtFirst(options), {
      board: this.#board,
      controller,
      port: this.expansion,
      map: memory.map,
      ram,
      remapped: () => this.#remapped(),
      isNewBoard: () => !vic.timing.nmos,
      reuWires: {
        vic,
        ram,
        read: (address) => bus.read(address),
        write: (address, value) => bus.write(address, value),
        started: () => this.time.catchUpCias(),
        armed: (isArmed) => memory.trapLastPage(isArmed),
      },
    });
  }

  get reu(): Reu | undefined {
    return this.memoryExpansions.reu;
  }

  get expansionRam(): ExpansionRams {
    return this.memoryExpansions.rams;
  }

  #chips() {
    const { cpu, vic, cia1, cia2, sids, memory, memoryExpansions } = this;
    return { cpu, vic, cia1, cia2, sids, memory, memoryExpansions };
  }

  /** Cycles since power-up. */
  get cycles(): number {
    return this.clock[0];
  }

  /** Cycles in a second. */
  get clockHz(): number {
    return this.vic.timing.cyclesPerLine === 63 ? 985_248 : 1_022_730;
  }

  get mainsHz(): number {
    return this.vic.timing.cyclesPerLine === 63 ? 50 : 60;
  }

  /** Other chips in the sockets. What is in memory, and what the chips do, stays; a new frame begins. */
  refit({ vic, cia1, cia2, sid }: C64Chips): void {
    this.catchUp();
    this.vic.refit(vic);
    this.cia1.refit(cia1, this.clockHz, this.mainsHz);
    this.cia2.refit(cia2, this.clockHz, this.mainsHz);
    this.sid.refit(sid);
    this.sids.second.refit(sid);
    this.memoryExpansions.boardChanged();
    this.restored();
  }

  powerUp(): void {
    const presence = this.drives.presence();
    const tape = this.tape.kept();
    this.bytes.fill(0);
    this.drives.powerUp(presence);
    this.tape.powerUp(tape);
    fillPowerUpPattern(this.ram);
    const { mainsHz } = this;
    this.vic.powerOn();
    this.sid.powerOn();
    this.sids.second.powerOn();
    this.cia1.powerOn(this.clockHz, mainsHz);
    this.cia2.powerOn(this.clockHz, mainsHz);
    Object.assign(this.#board, {
      [boardFields.game]: 1,
      [boardFields.exrom]: 1,
      [boardFields.iecClock]: 1,
      [boardFields.iecData]: 1,
    });
    this.expansion.powerUp();
    this.memoryExpansions.powerOn();
    this.cpu.powerUp();
    this.reset();
  }

  /** The RES line: it reaches the processor, the CIAs and the SID, not the VIC-II. */
  reset(): void {
    this.port.reset();
    this.tape.setMotor(false);
    this.time.catchUpCias();
    this.cia1.reset();
    this.cia2.reset();
    this.soundClock.catchUp();
    this.sid.reset();
    this.sids.second.reset();
    this.cpu.reset();
    this.drives.reset();
    this.memoryExpansions.reset();
    this.expansion.reset();
    this.cia2Port.changed();
  }

  /** Brings everything that runs lazily up to the present. */
  catchUp(): void {
    this.vic.catchUp();
    this.time.catchUpCias();
    this.soundClock.catchUp();
    this.drives.bringUpToDate();
    this.expansionRam.name();
    this.cpu.forget();
  }

  /** Rebuilds what is only a consequence of the state, after somebody wrote to it. */
  restored(): void {
    this.cia1.restored();
    this.cia2.restored();
    this.drives.restored();
    this.tape.restored();
    this.expansionRam.restored();
    this.memoryExpansions.restored();
    this.expansion.restored();
    this.controlPorts.sense();
    this.cia2Port.changed();
  }

  /** The processor's port has changed: banking, and the datasette's motor and WRITE. */
  portChanged(): void {
    this.tape.setMotor(this.port.tapeMotor);
    this.tape.setWrite(this.port.tapeWrite);
    this.memory.rebank(this.port.banking);
  }

  #remapped(): void {
    this.vic.catchUpAccesses();
    this.memory.rebank(this.port.banking);
    this.memory.rebankVic();
  }

  #vicWires(): Vic2Wires {
    const { memory, color, frame } = this;
    return {
      memory: memory.bytes,
      pages: memory.vicPages,
      pagesPhi2: memory.vicPagesPhi2,
      color,
      frame,
      fetch: (address14) => memory.fetch(address14),
      fetchPhi2: (address14) => memory.fetchPhi2(address14),
      isCharacterRom: (address14) => memory.isCharacterRom(address14),
      cpuBusByte: () => this.#cpuBusByte(),
    };
  }

  /** While BA is low and the processor waits, the bus carries the byte it wants to read. */
  #cpuBusByte(): number {
    const address = this.cpu.nextRead;
    if (address >= 0 && address < 0x100) return this.ram[address] as number;
    const base = address < 0 ? -1 : (this.memory.reads[address >> 8] as number);
    return base < 0
      ? (this.ram[this.cpu.state[cpuFields.pc]] as number)
      : (this.memory.bytes[base + address] as number);
  }
}
