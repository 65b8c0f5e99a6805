import type { Chip } from '../../../machine/chips.ts';
import type { ScreenCapability } from '../../../machine/screen.ts';
import type { CommodoreBoard, VisibleFrame } from '../board/commodore-board.ts';
import type { SoundClock } from '../board/sound-clock.ts';
import type { BoardProbe } from '../trace/board-probe.ts';
import type { TrialBoard } from '../workshop/trial.ts';
import type { CartridgeSlot } from './cartridge-slot.ts';
import type { CommodoreModel } from './commodore-model.ts';
import type { Fittings } from './fittings.ts';

/** The analogue side of a sound chip. `catchUp` runs the chip in its own stead. */
export interface SoundOutput extends SoundClock {
  /** As if it had been listened to for long: the level the chip rests at is no sound. */
  settle(): void;
  /** Samples since the last call, 44,100 in a second. */
  take(): Int16Array;
}

/** One machine of a model: its board, and what has to be known of the chips on it. */
export interface CommodoreSetup {
  readonly model: CommodoreModel;
  readonly board: CommodoreBoard;
  /** Made of what another like it can be made of. */
  readonly boardOptions: TrialBoard;
  /** Where BASIC programs begin with the memory that is plugged in. */
  readonly basicStart: number;
  readonly cartridges: CartridgeSlot;
  readonly fittings: Fittings;
  readonly chips: readonly Chip[];
  /** Those that can be plugged in and pulled out. */
  pluggedChips?(): readonly Chip[];
  /** Rows that conditions may name, `sprite_x[0]`. */
  readonly rows?: Readonly<Record<string, (index: number) => number>>;
  /** Where traces look; without it there are none. */
  readonly probe?: BoardProbe;
  /** What pulls the line, in words; empty if nothing does any more. */
  interruptSource(line: 'irq' | 'nmi'): string;
  newSoundOutput(): SoundOutput;
  /** `wholeFrame`: a picture as a camera would have it. */
  newScreen(wholeFrame: () => Promise<VisibleFrame>): ScreenCapability;
}
