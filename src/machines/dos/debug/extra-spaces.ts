import { type DosSystem, highMemoryEnd } from '../board/dos-system.ts';
import { PAGE_BYTES } from '../services/ems/expanded-memory.ts';
import type { ExtraSpace } from './dos-memory.ts';

/** Memory that the processor reaches only through windows, and what drivers gave to programs of it. */
export function extraSpaces(system: DosSystem): readonly ExtraSpace[] {
  const { board } = system;
  const space = (name: string, description: string, bytes: Uint8Array): ExtraSpace => ({
    name,
    description,
    size: BigInt(bytes.length),
    writable: true,
    peek: (address, length) => bytes.slice(address, address + length),
    poke: (address, written) => bytes.set(written, address),
  });
  return [
    expandedStore(system),
    space('vram', 'memory of the VGA, four planes interleaved', board.videoMemory),
    ...expandedHandles(system),
    ...extendedHandles(system),
  ];
}

/** A page that the frame shows lives there: what is in the store is what it was before. */
function expandedStore({ ems, board }: DosSystem): ExtraSpace {
  const { expanded } = board;
  /** Pieces of a range that lie in pages which are shown, and where. */
  const shown = (address: number, length: number) => {
    const pages = Array.from({ length: ems.pageCount }, (_, page) => page * PAGE_BYTES);
    return pages.flatMap((start) => {
      const [from, to] = [Math.max(address, start), Math.min(address + length, start + PAGE_BYTES)];
      const frame = from < to ? ems.shownAt(start / PAGE_BYTES) : undefined;
      return frame === undefined ? [] : [{ from, to, at: frame + from - start }];
    });
  };
  return {
    name: 'ems',
    description: 'pages of expanded memory',
    size: BigInt(expanded.length),
    writable: true,
    peek: (address, length) => {
      const bytes = expanded.slice(address, address + length);
      for (const { from, to, at } of shown(address, length)) {
        bytes.set(board.memory.ram.subarray(at, at + to - from), from - address);
      }
      return bytes;
    },
    poke: (address, written) => {
      expanded.set(written, address);
      for (const { from, to, at } of shown(address, written.length)) {
        board.poke(at, written.subarray(from - address, to - address));
      }
    },
  };
}

function expandedHandles({ ems, board: { memory } }: DosSystem): readonly ExtraSpace[] {
  return ems.handles
    .filter(({ pages }) => pages.length > 0)
    .map((handle) => ({
      name: `ems${handle.number}`,
      description: `pages of EMS handle ${handle.number}, one after the other`,
      size: BigInt(handle.pages.length * PAGE_BYTES),
      writable: false,
      peek: (address, length) => ems.peek(handle, address, length, (at) => memory.ram[at] ?? 0),
      poke: () => {},
    }));
}

function extendedHandles({ xms, board: { memory } }: DosSystem): readonly ExtraSpace[] {
  return xms.memory.blocks
    .filter(({ kilobytes }) => kilobytes > 0)
    .map(({ handle, start, kilobytes }) => {
      const first = highMemoryEnd + start * 1024;
      const bytes = memory.ram.subarray(first, first + kilobytes * 1024);
      return {
        name: `xms${handle}`,
        description: `the block of XMS handle ${handle}`,
        size: BigInt(bytes.length),
        writable: false,
        peek: (address: number, length: number) => bytes.slice(address, address + length),
        poke: () => {},
      };
    });
}
