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
    space('ems', 'pages of expanded memory', board.expanded),
    space('vram', 'memory of the VGA, four planes interleaved', board.videoMemory),
    ...expandedHandles(system),
    ...extendedHandles(system),
  ];
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
