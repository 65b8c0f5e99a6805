import { C64Board, type C64BoardOptions } from '../c64/c64-board.ts';
import { C64CartridgeSlot } from '../c64/machine/c64-cartridge-slot.ts';
import { Vic20CartridgeSlot } from '../vic20/machine/vic20-cartridge-slot.ts';
import { Vic20Board, type Vic20Options } from '../vic20/vic20-board.ts';

/** A state that somebody else wrote, and the board that shall take it. */
export type Trial = {
  readonly state: Uint8Array;
  readonly images: readonly Uint8Array[];
  readonly cartridge: Uint8Array | undefined;
} & TrialBoard;

export type TrialBoard =
  | { readonly kind: 'c64'; readonly options: C64BoardOptions }
  | { readonly kind: 'vic20'; readonly options: Vic20Options };

const frames = 50;

/** What is done to a state that may be meant to take for ever, or to fail: in a thread that can be ended. */
export const trialJobs = {
  /** What is wrong with it; undefined if it is one that a machine saved and can go on from. */
  run({ state, images, cartridge, ...made }: Trial): string | undefined {
    const board = made.kind === 'c64' ? new C64Board(made.options) : new Vic20Board(made.options);
    const slot = board instanceof C64Board ? new C64CartridgeSlot(board) : new Vic20CartridgeSlot(board);
    if (state.length !== board.bytes.length) return `it has ${state.length} bytes and not ${board.bytes.length}`;
    for (const image of images) board.drives.remember(image);
    if (cartridge) slot.insert(cartridge);
    board.restore(state);
    // Whatever is saved has nothing left to catch up with.
    if (Buffer.compare(board.snapshot(), state) !== 0) return 'it is no state that a machine can be in';
    board.runCycles(frames * board.frameSpan);
    board.catchUp();
    return undefined;
  },
} as const;
