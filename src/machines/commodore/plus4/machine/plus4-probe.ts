import { fields as f, stateWords, type TedState } from '../../../../chips/ted/fields.ts';
import { cyclesPerLine, pixelsPerCycle } from '../../../../chips/ted/models.ts';
import { partWords } from '../../board/part-words.ts';
import { aciaRegisters, tedRegisters } from '../../chips/register-names.ts';
import { tedSources } from '../../chips/ted-chip.ts';
import type { BoardProbe, Signal } from '../../trace/board-probe.ts';
import type { Plus4Board } from '../plus4-board.ts';
import { plus4Layout } from '../plus4-state.ts';
import { plus4Pixel } from './plus4-pixel.ts';
import { palette } from './plus4-screen.ts';

const portRegisters = [
  { name: 'PDIR', description: "directions of the processor's port" },
  { name: 'PORT', description: "the processor's port: serial bus, datasette" },
];
const latch = (description: string) => [{ name: 'PORT', description }];

const chips = [
  { name: 'ted', first: 0xff00, registers: tedRegisters },
  { name: 'port', first: 0x0000, registers: portRegisters },
  { name: 'keyboard', first: 0xfd30, registers: latch('columns of the keyboard') },
  { name: 'user', first: 0xfd10, registers: latch('user port, switch of the datasette') },
  { name: 'acia', first: 0xfd00, registers: aciaRegisters },
];

/** What a trace of a Plus/4 or C16 shows. */
export function plus4Probe(board: Plus4Board): BoardProbe {
  const state: TedState = partWords(board.bytes, plus4Layout, 'ted');
  const before = new Int32Array(stateWords) as TedState;
  const own = board.acia ? chips : chips.slice(0, 3);
  return {
    chips: own,
    video: 'ted',
    cyclesPerLine,
    raster: {
      palette,
      pixelsPerCycle,
      pixelWidth: 1,
      firstPixel: 0,
      visible: board.ted.timing.visible,
      rowOf: (line) => (line - board.ted.timing.syncLine + board.ted.timing.lines) % board.ted.timing.lines,
    },
    pixel: (x, y) => plus4Pixel(board, before, x, y),
    drawNow: () => before.set(state.subarray(0, stateWords)),
    border: {
      register: 0x19,
      colourOf: (value) => value & 0x7f,
      now: () => board.ted.peek(0x19) & 0x7f,
    },
    signals: signalsOf(state),
  };
}

function signalsOf(state: TedState): readonly Signal[] {
  const rise = { chip: 'ted', edge: 'rise' } as const;
  return [
    {
      ...rise,
      type: 'bad_line',
      bits: () => (state[f.dmaStep] === 0 ? 0 : state[f.dma] & 3),
      note: (bits) => `the chip takes the bus for ${bits === 1 ? 'colours' : bits === 2 ? 'characters' : 'both'}`,
    },
    {
      ...rise,
      type: 'irq_request',
      bits: () => state[f.irqFlags] & (state[f.registers + 0x0a] as number) & 0x5e,
      note: (bits) =>
        `ted ${tedSources
          .filter(({ bit }) => (bits & bit) !== 0)
          .map(({ name }) => name)
          .join(', ')}`,
    },
  ];
}
