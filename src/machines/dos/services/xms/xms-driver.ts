import { hex } from '../../../../formats/hex.ts';
import { romCode } from '../bios/rom-layout.ts';
import { byNumber, type ServiceRow } from '../bios/service-row.ts';
import type { Guest, GuestMemory, ServiceOutcome } from '../guest.ts';
import { ExtendedMemory, type XmsBlock } from './extended-memory.ts';
import { moveFunction, xmsFunctions } from './functions.ts';
import { UpperBlocks } from './upper-blocks.ts';

export interface XmsWires {
  readonly memory: GuestMemory;
  /** Everything from 110000h on: extended memory above the high memory area. */
  readonly extended: Uint8Array;
  /** RAM in the upper memory area, by segments. */
  readonly upperMemory: { readonly first: number; readonly end: number };
  a20(): boolean;
  setA20(on: boolean): void;
}

export interface XmsState {
  readonly blocks: readonly XmsBlock[];
  readonly highMemoryTaken: boolean;
  readonly a20Locks: number;
  readonly upper: UpperBlocks['blocks'] | undefined;
}

const rows = byNumber(xmsFunctions);

/** An extended memory driver, version 3.0: INT 2Fh AX=4300h and 4310h lead to its entry in the ROM. */
export class XmsDriver {
  readonly wires: XmsWires;
  readonly memory: ExtendedMemory;
  highMemoryTaken = false;
  /** Upper memory, where DOS has not taken it. */
  upper: UpperBlocks | undefined;
  /** Local enables of A20 that have not been taken back. */
  a20Locks = 0;

  constructor(wires: XmsWires) {
    this.wires = wires;
    this.memory = new ExtendedMemory(wires.extended.length >> 10);
  }

  save(): XmsState {
    const { highMemoryTaken, a20Locks } = this;
    return structuredClone({ blocks: this.memory.blocks, highMemoryTaken, a20Locks, upper: this.upper?.blocks });
  }

  restore(saved: XmsState): void {
    const { blocks, highMemoryTaken, a20Locks, upper } = structuredClone(saved);
    this.memory.blocks = [...blocks];
    this.highMemoryTaken = highMemoryTaken;
    this.a20Locks = a20Locks;
    this.upper = upper && this.#upperOf(upper);
  }

  /** Nothing allocated, as after a start. Upper memory is the driver's to give, or not. */
  reset(hasUpper = false): void {
    this.restore({ blocks: [], highMemoryTaken: false, a20Locks: 0, upper: hasUpper ? [] : undefined });
  }

  #upperOf(blocks: UpperBlocks['blocks']): UpperBlocks {
    const { first, end } = this.wires.upperMemory;
    const upper = new UpperBlocks(first, end);
    upper.blocks = blocks;
    return upper;
  }

  /** INT 2Fh AH=43h. */
  multiplex(guest: Guest): ServiceOutcome {
    if (guest.al === 0x00) guest.al = 0x80;
    else if (guest.al === 0x10) {
      guest.es = 0xf000;
      guest.bx = romCode.xmsEntry;
    }
    return 'done';
  }

  /** The far entry: callback `callbacks.xms`. */
  readonly entry: ServiceRow = {
    name: 'extended memory',
    serve: (guest) => {
      const row = rows.get(guest.ah);
      if (row !== undefined) return row.run(this, guest) ?? 'done';
      guest.ax = 0;
      guest.bl = 0x80;
      return 'done';
    },
    describe: (guest) => {
      const row = rows.get(guest.ah);
      const details = row?.details?.(guest) ?? '';
      return `xms ah=${hex(guest.ah, 2)} ${row?.name ?? 'unknown'}${details === '' ? '' : ` ${details}`}`;
    },
    kind: ({ ah }) => (ah === moveFunction ? 'live' : 'registers'),
    result: ({ ah }, after) => rows.get(ah)?.result?.(after) ?? '',
  };
}
