import { hex } from '../../../../formats/hex.ts';
import { type DosSystem, highMemoryEnd } from '../../board/dos-system.ts';
import { FRAME_SEGMENT } from '../../services/ems/expanded-memory.ts';
import { type ChipView, onOff, type View } from './chip-view.ts';

const pageKilobytes = 16;

/** What the drivers of expanded and extended memory have given away. */
export function memoryChips(system: DosSystem): readonly ChipView[] {
  return [
    {
      name: 'ems',
      description: 'expanded memory (LIM 4.0); the space ems1 is the memory of handle 1',
      parts: [{ name: 'handles', description: 'pages, handles, page frame', read: () => expanded(system) }],
    },
    {
      name: 'xms',
      description: 'extended memory (XMS 3.0); the space xms1 is the memory of handle 1',
      parts: [{ name: 'handles', description: 'blocks, A20, high and upper memory', read: () => extended(system) }],
    },
  ];
}

function expanded({ ems }: DosSystem): View {
  const { pageCount, freePages, handles, map } = ems;
  const shown = map.map((mapping, physical) => {
    const segment = hex(FRAME_SEGMENT + physical * 0x400, 4);
    return `${segment} ${mapping ? `handle ${mapping.handle} page ${mapping.page}` : 'nothing'}`;
  });
  return {
    lines: [
      `${pageCount} pages of ${pageKilobytes} KiB, ${freePages} free; page frame ${hex(FRAME_SEGMENT, 4)}: ${shown.join(', ')}`,
      ...handles.map(
        ({ number, name, pages }) =>
          `handle ${number}${name.trim() === '' ? '' : ` ${JSON.stringify(name)}`}: ${pages.length} pages`,
      ),
    ],
    numbers: {
      pages: pageCount,
      free_pages: freePages,
      frame_segment: FRAME_SEGMENT,
      handles: handles.map(({ number }) => number),
      handle_pages: handles.map(({ pages }) => pages.length),
      handle_names: handles.map(({ name }) => name),
      mapped_handles: map.map((mapping) => mapping?.handle ?? -1),
      mapped_pages: map.map((mapping) => mapping?.page ?? -1),
    },
  };
}

function extended({ xms, board }: DosSystem): View {
  const { kilobytes, free, largest, blocks } = xms.memory;
  const { a20 } = board.memory;
  return {
    lines: [
      `${kilobytes} KiB, ${free} free, largest ${largest}; A20 ${onOff(a20)}, high memory area ${xms.highMemoryTaken ? 'taken' : 'free'}`,
      ...blocks.map(
        ({ handle, start, kilobytes: size, locks }) =>
          `handle ${handle}: ${size} KiB at ${hex(highMemoryEnd + start * 1024, 6)}, locked ${locks} times`,
      ),
    ],
    numbers: {
      kilobytes,
      free_kilobytes: free,
      largest_kilobytes: largest,
      a20,
      a20_locks: xms.a20Locks,
      high_memory_taken: xms.highMemoryTaken,
      handles: blocks.map(({ handle }) => handle),
      block_kilobytes: blocks.map((block) => block.kilobytes),
      block_addresses: blocks.map(({ start }) => highMemoryEnd + start * 1024),
      block_locks: blocks.map(({ locks }) => locks),
    },
  };
}
