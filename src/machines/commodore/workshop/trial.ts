import type { CommodoreBoard } from '../board/commodore-board.ts';
import { C64Board, type C64BoardOptions } from '../c64/c64-board.ts';
import { C64CartridgeSlot } from '../c64/machine/c64-cartridge-slot.ts';
import { c64Fittings } from '../c64/machine/c64-fittings.ts';
import { rememberImages } from '../expansions/remember-images.ts';
import type { CartridgeSlot } from '../machine/cartridge-slot.ts';
import type { Fitted, Fittings } from '../machine/fittings.ts';
import { Plus4CartridgeSlot } from '../plus4/machine/plus4-cartridge-slot.ts';
import { plus4Fittings } from '../plus4/machine/plus4-fittings.ts';
import { Plus4Board, type Plus4Options } from '../plus4/plus4-board.ts';
import { Vic20CartridgeSlot } from '../vic20/machine/vic20-cartridge-slot.ts';
import { vic20Fittings } from '../vic20/machine/vic20-fittings.ts';
import { Vic20Board, type Vic20Options } from '../vic20/vic20-board.ts';

/** A state that somebody else wrote, and the board that shall take it. */
export type Trial = {
  readonly state: Uint8Array;
  readonly images: readonly Uint8Array[];
  readonly fitted: Fitted;
  readonly cartridge: Uint8Array | undefined;
} & TrialBoard;

export type TrialBoard =
  | { readonly kind: 'c64'; readonly options: C64BoardOptions }
  | { readonly kind: 'vic20'; readonly options: Vic20Options }
  | { readonly kind: 'plus4'; readonly options: Plus4Options };

interface Made {
  readonly board: CommodoreBoard;
  readonly slot: CartridgeSlot;
  readonly fittings: Fittings;
}

const frames = 50;
/** By how much drives can have been held. */
const beatsHeld = [1, 2];

/** What is done to a state that may be meant to take for ever, or to fail: in a thread that can be ended. */
export const trialJobs = {
  /** What is wrong with it; undefined if it is one that a machine saved and can go on from. */
  run({ state, images, fitted, cartridge, ...wanted }: Trial): string | undefined {
    const { board, slot, fittings } = make(wanted);
    if (state.length !== board.bytes.length) return `it has ${state.length} bytes and not ${board.bytes.length}`;
    fittings.fit(fitted);
    rememberImages(board, images);
    if (cartridge) slot.insert(cartridge);
    board.restore(state);
    // Whatever is saved has nothing left to catch up with, unless drives were held.
    const isState = () => Buffer.compare(board.snapshot(), state) === 0;
    if (!isState()) {
      const isHeld = beatsHeld.some((beats) => {
        board.restore(state);
        board.drives.hold(beats);
        return isState();
      });
      if (!isHeld) return 'it is not a possible machine state';
      board.restore(state);
    }
    board.runCycles(frames * board.frameSpan);
    board.catchUp();
    return undefined;
  },
} as const;

function make({ kind, options }: TrialBoard): Made {
  switch (kind) {
    case 'c64': {
      const board = new C64Board(options);
      return { board, slot: new C64CartridgeSlot(board), fittings: c64Fittings(board) };
    }
    case 'vic20': {
      const board = new Vic20Board(options);
      return { board, slot: new Vic20CartridgeSlot(board), fittings: vic20Fittings(board) };
    }
    case 'plus4': {
      const board = new Plus4Board(options);
      return { board, slot: new Plus4CartridgeSlot(board), fittings: plus4Fittings(board) };
    }
  }
}
