import type { Mos6510 } from '../../../chips/mos6510/mos6510.ts';
import type { Datasette } from '../drive/datasette.ts';
import type { DriveSet } from '../drive/drive-set.ts';
import type { ExpansionRams } from '../expansions/expansion-rams.ts';
import type { Gates } from './gates.ts';
import type { KeyboardLooks } from './keyboard-looks.ts';
import type { Observation } from './observation.ts';
import type { SoundClock } from './sound-clock.ts';

/** Banks a debugger may look at without disturbing anything. */
export type CommodoreBank = 'cpu' | 'ram' | 'rom' | 'io' | 'color' | 'vic';

/** What a monitor shows, a palette index for each pixel. */
export interface VisibleFrame {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** A register that answers the processor. */
export interface ChipRegister {
  /** As `chip_read` names it, or ports and latches that are no chips of their own. */
  readonly chip: string;
  readonly register: number;
}

export type CollisionType = 'sprite_sprite' | 'sprite_background';

/** What is to be done where something is watched for. */
export interface Questions {
  /** Every instruction is marked. */
  readonly isEach: boolean;
  /** If a run begins before an instruction: that one has been asked about. */
  readonly isAsked: boolean;
  /**
   * With `isEach`: which of the instructions have to be asked about, as far as registers, plain memory, the raster line and registers of
   * chips say so; all of them without it.
   */
  readonly asks?: (() => boolean) | undefined;
  /** `asks` also depends on the present cycle, or on an access: it can be asked before a run only, and `gates` are needed within. */
  readonly isMomentary?: boolean;
  /** What has to be the case for `asks` to become true within a run, if it is false before it. Boards may ignore them. */
  gates?(): Gates | undefined;
  /** Only for boards with `tellsLines`. */
  readonly lines?: LinesToTell | undefined;
  /** True ends the run. */
  ask(): boolean;
}

/** Lines of the raster that somebody wants to be told of within a run, in the cycle in which they begin. */
export interface LinesToTell {
  /** By line. */
  readonly isMarked: Uint8Array;
  /** The beam has come to one of them. True ends the run. */
  began(): boolean;
}

/** What the processor sees in memory at the moment. */
export interface BoardMemory {
  /** By address bits 15-8: 0 where the processor reads RAM, more where it reads a ROM, -1 where no plain memory answers. */
  readonly reads: Int32Array;
  readonly writes: Int32Array;
  /** The address after the RAM that this one lies in, whatever the processor sees there; the address itself where there is none. */
  ramEnd(address: number): number;
  /** Whether the processor sees BASIC or the KERNAL at this address. */
  isSystemRom(address: number): boolean;
  /** Whether the processor sees ROM or RAM of the cartridge at this address. */
  isCartridge(address: number): boolean;
}

/**
 * A board with a 6502, drives on a serial bus and a datasette: what the machine around it needs, whatever else is soldered to it.
 * All state is in `bytes`, so a snapshot is one copy.
 */
export interface CommodoreBoard {
  readonly cpu: Mos6510;
  readonly drives: DriveSet;
  readonly tape: Datasette;
  readonly memory: BoardMemory;
  /** Memories beside the state, which only names what is in them. */
  readonly expansionRam?: ExpansionRams;
  /** Addresses of the processor. */
  readonly addressSpace: number;
  readonly bytes: Uint8Array;
  readonly ram: Uint8Array;
  /** The whole raster as palette indexes; not part of the state. */
  readonly frame: Uint8Array;
  /** What makes the sound, as it does so without a listener. */
  readonly sound: SoundClock;

  // ---- power and time
  powerUp(): void;
  reset(): void;
  /** Cycles in a second. */
  readonly clockHz: number;
  /** Cycles in a frame. */
  readonly frameSpan: number;
  readonly cyclesPerLine: number;
  /** Cycles since power-up. */
  readonly cycles: number;
  readonly frameCount: number;
  /** Until `frameCount` moves. */
  readonly cyclesToFrame: number;
  /** Where the beam is. */
  readonly rasterLine: number;
  readonly rasterCycle: number;
  /** How many lines a frame has now. */
  readonly rasterLines: number;
  /** The chip may be behind within a run, so that `asks` cannot know the raster line. */
  readonly isRasterLazy?: boolean;
  /** Runs know what to do with `Questions.gates`. */
  readonly heedsGates?: boolean;
  /** Runs know what to do with `Questions.lines`. */
  readonly tellsLines?: boolean;
  /** Until the beam comes to this line the next time, at least 1: the line has then just begun. */
  cyclesToLine(line: number): number;
  /** The most cycles an instruction can take, with the bus taken away in the middle of it. */
  readonly longestInstruction: number;
  tick(): void;
  runCycles(cycles: number): void;
  /** The same where nobody will see the picture, which may stay as it was; all else is the same. */
  runUnseen?(cycles: number): void;
  /** Runs to the end of the instruction in progress, or through the next one. False if the processor is jammed. */
  stepInstruction(): boolean;
  /** From now on this is watched; whoever covers `read` and `write` sees the accesses. */
  observe(observation: Observation | undefined): void;
  /** In the cycle in which the video chip asks for an interrupt of the raster line, if that is enabled. */
  watchRasterInterrupts?(listener: (() => void) | undefined): void;
  /** The sprites whose collisions of this type are noted, one bit each. */
  collided?(type: CollisionType): number;
  /** From now on collisions of these types are told in the cycle in which the chip notes them; absent where there are no sprites. */
  watchCollisions?(types: readonly CollisionType[], listener: (type: CollisionType, sprites: number) => void): void;
  /** As `runCycles`, but asks where something is watched for, and ends there if the answer is true. True if it has. */
  runObserved(cycles: number, questions: Questions): boolean;
  /** Where the last `runObserved` went through: whether it has asked about the instruction that comes next. */
  readonly hasAsked: boolean;

  // ---- the processor's bus
  read(address: number): number;
  write(address: number, value: number): void;
  /** The registers at an address, its mirrors included, whether the processor sees them at the moment or not. */
  registersAt(address: number): readonly ChipRegister[];
  /** The same as memory is banked now: none where RAM, ROM or nobody answers such an access. */
  chipsReached(kind: 'read' | 'write', address: number): readonly ChipRegister[];

  // ---- from outside
  setKey(column: number, row: number, isDown: boolean): void;
  isKeyDown(column: number, row: number): boolean;
  setRestore(isDown: boolean): void;
  readonly isRestoreDown: boolean;
  readonly keyboardLooks: KeyboardLooks;
  /** Directions and fire as bits 0-4 (up, down, left, right, fire), 1 = pressed. */
  setJoystick(port: number, pressed: number): void;
  /** Positions from 0 to 255. */
  setPaddles(port: number, x: number, y: number): void;
  paddles(port: number): { readonly x: number; readonly y: number };
  /** Pixels of `visibleFrame`; undefined takes the pen away. */
  aimLightPen(at: { readonly x: number; readonly y: number } | undefined): void;
  /** Levels of the eight data pins of the user port; absent where there is none. */
  setUserPort?(pins: number): void;
  /** Presses the button of a freezer; false if there is none that works. */
  freeze?(): boolean;
  /** Whether there is one. */
  readonly canFreeze?: boolean;
  /** From now on this runs the sound, which must be the same as if it did so itself. */
  listen(listener: SoundClock | undefined): void;

  // ---- for debuggers: nothing here disturbs the machine
  peek(bank: CommodoreBank, address: number): number;
  poke(bank: CommodoreBank, address: number, value: number): void;

  // ---- picture and snapshots
  /** The size of `visibleFrame`. */
  readonly visible: { readonly width: number; readonly height: number };
  visibleFrame(): VisibleFrame;
  /** Copies the whole state into `target`, with everything that runs lazily brought up to date first. */
  snapshot(target?: Uint8Array): Uint8Array;
  restore(snapshot: Uint8Array): void;
  /** Brings everything that runs lazily up to the present. */
  catchUp(): void;
  /** The disks and the tape that were in when this copy of the state was made. */
  imagesIn(snapshot: Uint8Array): readonly Uint8Array[];
}
