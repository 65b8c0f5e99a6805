import type { StateRequest, ViewedLayout } from '../../../chips/state-layout.ts';
import type { StateWords } from './state-words.ts';

interface Sizes {
  /** Beside what is laid out: state whose size depends on what is fitted. */
  readonly more?: number;
  readonly roms: number;
  readonly frame: number;
}

/**
 * The memory of a board: its state, then its ROMs, so that one view reaches all that a processor sees; and the picture. `isShared`: other
 * threads can read it.
 */
export function newBoardMemory<Parts extends Readonly<Record<string, StateRequest>>>(
  layout: ViewedLayout<Parts>,
  { more = 0, roms, frame }: Sizes,
  isShared: boolean,
) {
  const newBuffer = (size: number) => (isShared ? new SharedArrayBuffer(size) : new ArrayBuffer(size));
  const { byteLength } = layout;
  const buffer = newBuffer(byteLength + more + roms);
  return {
    views: layout.views(buffer),
    /** The state. */
    bytes: new Uint8Array(buffer, 0, byteLength + more),
    /** What is laid out of it, as words. */
    words: new Int32Array(buffer, 0, byteLength >> 2) as StateWords,
    /** State and ROMs. */
    all: new Uint8Array(buffer),
    frame: new Uint8Array(newBuffer(frame)),
  };
}
