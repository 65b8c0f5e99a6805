import type { Mos6560State } from '../../../../chips/mos6560/fields.ts';
import { pixelsPerCycle } from '../../../../chips/mos6560/models.ts';
import { type Via6522State, fields as via } from '../../../../chips/via6522/fields.ts';
import { partWords } from '../../board/part-words.ts';
import { viaRegisters, vic1Registers } from '../../chips/register-names.ts';
import { viaSources } from '../../chips/via-chip.ts';
import type { BoardProbe, Signal } from '../../trace/board-probe.ts';
import type { Vic20Board } from '../vic20-board.ts';
import { vic20Model } from '../vic20-model.ts';
import { vic20Layout } from '../vic20-state.ts';
import { vic20Pixel } from './vic20-pixel.ts';
import { palette } from './vic20-screen.ts';

const chips = [
  { name: 'vic', first: 0x9000, registers: vic1Registers },
  { name: 'via1', first: 0x9110, registers: viaRegisters },
  { name: 'via2', first: 0x9120, registers: viaRegisters },
];

/** What a trace of a VIC-20 shows. */
export function vic20Probe(board: Vic20Board): BoardProbe {
  const words = (name: 'via1' | 'via2'): Via6522State => partWords(board.bytes, vic20Layout, name);
  const video: Mos6560State = partWords(board.bytes, vic20Layout, 'vic');
  return {
    chips,
    video: 'vic',
    get cyclesPerLine() {
      return board.cyclesPerLine;
    },
    raster: {
      palette,
      pixelsPerCycle,
      pixelWidth: vic20Model.screen.pixelWidth,
      firstPixel: -23,
      get visible() {
        return board.vic.timing.visible;
      },
    },
    pixel: (x, y) => vic20Pixel(board, video, x, y),
    drawNow: () => {},
    border: {
      register: 15,
      colourOf: (value) => value & 7,
      now: () => board.vic.peek(15) & 7,
    },
    signals: [viaSignal('irq_request', 'via2', words('via2')), viaSignal('nmi_request', 'via1', words('via1'))],
  };
}

function viaSignal(type: string, chip: string, state: Via6522State): Signal {
  return {
    type,
    chip,
    edge: 'rise',
    bits: () => state[via.ifr] & state[via.ier] & 127,
    note: (bits) => `${chip} ${viaSources.filter((_, index) => ((bits >> index) & 1) !== 0).join(', ')}`,
  };
}
