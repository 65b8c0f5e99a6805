import type { Mos6560Model } from '../../../../chips/mos6560/models.ts';
import type { FittedResource, Fittings } from '../../machine/fittings.ts';
import { expansions, type RamBlock, ramBlocks } from '../memory-expansion.ts';
import type { Vic20Board } from '../vic20-board.ts';

/** VICE's names for the blocks. */
const blockNames: Readonly<Record<RamBlock, readonly [name: string, place: string]>> = {
  RAM123: ['RAMBlock0', '3K at $0400'],
  BLK1: ['RAMBlock1', '8K at $2000'],
  BLK2: ['RAMBlock2', '8K at $4000'],
  BLK3: ['RAMBlock3', '8K at $6000'],
  BLK5: ['RAMBlock5', '8K at $A000'],
};

const resources: readonly FittedResource[] = [
  {
    name: 'MachineVideoStandard',
    type: 'integer',
    category: 'video',
    description: 'Video standard used by the emulated machine: the model of the VIC. The KERNAL stays as it is',
    possible: [
      { value: 1, name: 'PAL' },
      { value: 2, name: 'NTSC' },
    ],
    wantsReset: true,
    read: ({ vic }) => (vic === '6560' ? 2 : 1),
    write: (fitted, value) => ({ ...fitted, vic: value === 2 ? '6560' : '6561' }),
  },
  ...ramBlocks.map((block): FittedResource => {
    const [name, place] = blockNames[block];
    return {
      name,
      type: 'integer',
      category: 'memory',
      description: `RAM expansion, ${place}`,
      possible: [
        { value: 0, name: 'Off' },
        { value: 1, name: 'On' },
      ],
      wantsReset: true,
      read: (fitted) => (fitted[block] === 'on' ? 1 : 0),
      write: (fitted, value) => ({ ...fitted, [block]: value === 1 ? 'on' : 'off' }),
    };
  }),
];

export function vic20Fittings(board: Vic20Board): Fittings {
  return {
    resources,
    get now() {
      const { vic, blocks } = board.fitted;
      const plugged = ramBlocks.map((block) => [block, blocks.includes(block) ? 'on' : 'off'] as const);
      return { vic, ...Object.fromEntries(plugged) };
    },
    fit(fitted) {
      const blocks = ramBlocks.filter((block) => fitted[block] === 'on');
      const now = board.fitted;
      if (fitted.vic === now.vic && blocks.join() === now.blocks.join()) return;
      board.refit({ vic: fitted.vic as Mos6560Model, blocks });
    },
    options(fitted) {
      const blocks = ramBlocks.filter((block) => fitted[block] === 'on').join();
      const sold = Object.entries(expansions).find(([, each]) => each.join() === blocks)?.[0];
      return { video: fitted.vic === '6560' ? 'ntsc' : 'pal', expansion: sold ?? 'all' };
    },
  };
}
