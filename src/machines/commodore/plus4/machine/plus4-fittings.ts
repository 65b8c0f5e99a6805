import type { FittedResource, Fittings } from '../../machine/fittings.ts';
import type { Plus4Board } from '../plus4-board.ts';

/** The TED is soldered in: another one is another machine. */
export function plus4Fittings(board: Plus4Board): Fittings {
  const isPal = board.ted.timing.lines > 300;
  const standard: FittedResource = {
    name: 'MachineVideoStandard',
    type: 'integer',
    category: 'video',
    description: 'Video standard of the TED; it cannot be changed while the machine runs',
    possible: [isPal ? { value: 1, name: 'PAL' } : { value: 2, name: 'NTSC' }],
    wantsReset: true,
    read: () => (isPal ? 1 : 2),
    write: (fitted) => fitted,
  };
  return { resources: [standard], now: {}, fit: () => {}, options: () => ({}) };
}
