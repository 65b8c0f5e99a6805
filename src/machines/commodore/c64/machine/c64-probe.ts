import { fields as cia, type Mos6526State } from '../../../../chips/mos6526/fields.ts';
import { type Vic2State, fields as vic } from '../../../../chips/vic2/fields.ts';
import { ciaRegisters, sidRegisters, vic2Registers } from '../../chips/register-names.ts';
import type { BoardProbe, Signal } from '../../trace/board-probe.ts';
import type { C64Board } from '../c64-board.ts';
import { boardFields } from '../c64-state.ts';
import { boardWords } from './board-words.ts';
import { c64Pixel } from './c64-pixel.ts';
import { palette } from './c64-screen.ts';

const portRegisters = [
  { name: 'D6510', description: "directions of the processor's port" },
  { name: 'R6510', description: "the processor's port: banking, datasette" },
];

const chips = [
  { name: 'vic2', first: 0xd000, registers: vic2Registers },
  { name: 'sid', first: 0xd400, registers: sidRegisters },
  { name: 'cia1', first: 0xdc00, registers: ciaRegisters },
  { name: 'cia2', first: 0xdd00, registers: ciaRegisters },
  { name: 'port', first: 0x0000, registers: portRegisters },
  { name: 'expansion', first: 0xde00, registers: [] },
];

const vicSources = ['raster', 'sprite-background collision', 'sprite-sprite collision', 'light pen'];
const ciaSources = ['timer A', 'timer B', 'alarm', 'serial port', 'flag'];

/** What a trace of a C64 shows. */
export function c64Probe(board: C64Board): BoardProbe {
  const video = boardWords<Vic2State>(board, 'vic');
  const state = boardWords<Int32Array>(board, 'board');
  return {
    get chips() {
      const { isIn, address } = board.sids.fitted;
      return isIn ? [...chips, { name: 'sid2', first: address, registers: sidRegisters }] : chips;
    },
    video: 'vic2',
    get cyclesPerLine() {
      return board.cyclesPerLine;
    },
    raster: {
      palette,
      pixelsPerCycle: 8,
      pixelWidth: 1,
      firstPixel: 0,
      get visible() {
        return board.vic.timing.visible;
      },
    },
    pixel: (x, y) => c64Pixel(board, video, x, y),
    drawNow: () => board.vic.wake(),
    border: {
      register: 0x20,
      colourOf: (value) => value & 15,
      now: () => board.vic.peek(0x20) & 15,
    },
    signals: [
      ...videoSignals(video),
      ciaSignal('irq_request', 'cia1', boardWords(board, 'cia1')),
      ciaSignal('nmi_request', 'cia2', boardWords(board, 'cia2')),
      {
        type: 'nmi_request',
        chip: 'cpu',
        edge: 'rise',
        bits: () => state[boardFields.restore] ?? 0,
        note: () => 'RESTORE',
      },
    ],
  };
}

function videoSignals(video: Vic2State): readonly Signal[] {
  const sprites = (bits: number) => {
    const numbers = [0, 1, 2, 3, 4, 5, 6, 7].filter((sprite) => ((bits >> sprite) & 1) !== 0);
    return `sprite${numbers.length > 1 ? 's' : ''} ${numbers.join(', ')}`;
  };
  const rise = { chip: 'vic2', edge: 'rise', note: sprites } as const;
  const fall = { ...rise, edge: 'fall' } as const;
  return [
    { ...rise, type: 'bad_line', bits: () => video[vic.badLine], note: () => 'the chip takes the bus for 40 cycles' },
    { ...rise, type: 'sprite_dma', bits: () => video[vic.spriteDma] },
    { ...fall, type: 'sprite_dma_end', bits: () => video[vic.spriteDma] },
    { ...rise, type: 'sprite_display', bits: () => video[vic.spriteDisplay] },
    { ...fall, type: 'sprite_display_end', bits: () => video[vic.spriteDisplay] },
    { ...rise, type: 'sprite_collision', bits: () => video[vic.spriteSprite] },
    { ...rise, type: 'background_collision', bits: () => video[vic.spriteBackground] },
    {
      ...rise,
      type: 'irq_request',
      bits: () => video[vic.irqStatus] & video[vic.d01a] & 15,
      note: (bits) => named('vic2', vicSources, bits),
    },
  ];
}

function ciaSignal(type: string, chip: string, state: Mos6526State): Signal {
  return {
    type,
    chip,
    edge: 'rise',
    bits: () => (state[cia.irq] === 0 ? 0 : state[cia.flags] & state[cia.mask]),
    note: (bits) => named(chip, ciaSources, bits),
  };
}

function named(chip: string, sources: readonly string[], bits: number): string {
  const names = sources.filter((_, index) => ((bits >> index) & 1) !== 0);
  return `${chip} ${names.join(', ')}`;
}
