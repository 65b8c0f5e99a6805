import { fields as cia, type Mos6526State } from '../../../../chips/mos6526/fields.ts';
import { outputDoubles, outputFields, SidOutput } from '../../../../chips/sid/sid-output.ts';
import { type Vic2State, fields as vic } from '../../../../chips/vic2/fields.ts';
import type { Chip } from '../../../../machine/chips.ts';
import { type CiaView, ciaChip } from '../../chips/cia-chip.ts';
import { sidChip } from '../../chips/sid-chip.ts';
import { vic2Chip } from '../../chips/vic2-chip.ts';
import type { CommodoreSetup, SoundOutput } from '../../machine/commodore-setup.ts';
import type { C64Board } from '../c64-board.ts';
import { c64Model } from '../c64-model.ts';
import { boardWords } from './board-words.ts';
import { C64CartridgeSlot } from './c64-cartridge-slot.ts';
import { c64Fittings } from './c64-fittings.ts';
import { c64Probe } from './c64-probe.ts';
import { C64Screen } from './c64-screen.ts';

const vicSources = ['raster', 'sprite-background collision', 'sprite-sprite collision', 'light pen'];
const ciaSources = ['timer A', 'timer B', 'alarm', 'serial port', 'flag'];
const ciaUses = {
  cia1: ['keyboard columns, joystick 2', 'keyboard rows, joystick 1'],
  cia2: ['VIC bank, serial bus', 'user port'],
} as const;

/** A board of a C64, ready to be made a machine of. */
export function c64Setup(board: C64Board): CommodoreSetup {
  const video = boardWords<Vic2State>(board, 'vic');
  return {
    model: c64Model,
    board,
    boardOptions: { kind: 'c64', options: board.options },
    basicStart: c64Model.basicStarts[0],
    cartridges: new C64CartridgeSlot(board),
    fittings: c64Fittings(board),
    chips: chipsOf(board, video),
    rows: {
      sprite_x: (sprite) => (video[2 * sprite] ?? 0) | ((((video[vic.d010] ?? 0) >> sprite) & 1) << 8),
      sprite_y: (sprite) => video[2 * sprite + 1] ?? 0,
    },
    probe: c64Probe(board),
    interruptSource: (line) => (line === 'irq' ? irqSource(board, video) : nmiSource(board)),
    newSoundOutput: () => soundOutput(board),
    newScreen: (wholeFrame) => new C64Screen(board, wholeFrame),
  };
}

function chipsOf(board: C64Board, video: Vic2State): readonly Chip[] {
  const catchUp = () => board.catchUp();
  const ciaView = (name: 'cia1' | 'cia2', base: number): CiaView => ({
    name,
    base,
    uses: ciaUses[name],
    state: boardWords(board, name),
    register: (index) => board[name].peek(index),
    catchUp,
  });
  return [
    vic2Chip({
      register: (index) => board.vic.peek(index),
      fetch: (address) => board.memory.fetch(address),
      isCharacterRom: (address) => board.memory.isCharacterRom(address),
      bankStart: () => (~board.peek('io', 0xdd00) & 3) << 14,
      beam: () => ({ line: video[vic.rasterLine], cycle: video[vic.cycle], irqLine: video[vic.rasterIrqLine] }),
    }),
    sidChip({
      state: boardWords(board, 'sid'),
      get clockHz() {
        return board.clockHz;
      },
      get model() {
        return board.chips.sid;
      },
      register: (index) => board.sid.peek(index),
      catchUp,
    }),
    ciaChip(ciaView('cia1', 0xdc00)),
    ciaChip(ciaView('cia2', 0xdd00)),
  ];
}

function soundOutput(board: C64Board): SoundOutput {
  const analogue = new Float64Array(outputDoubles);
  const output = new SidOutput(board.sid, boardWords(board, 'sid'), analogue, board.chips.sid, board.clockHz);
  return {
    catchUp: (cycles) => output.catchUp(cycles),
    take: () => output.take(),
    settle: () => {
      analogue[outputFields.rcHigh] = analogue[outputFields.rcLow] ?? 0;
    },
  };
}

function irqSource(board: C64Board, video: Vic2State): string {
  const drawn = named('vic2', vicSources, video[vic.irqStatus] & video[vic.d01a]);
  return [...drawn, ...ciaSource('cia1', boardWords(board, 'cia1'))].join(', ');
}

function nmiSource(board: C64Board): string {
  return ciaSource('cia2', boardWords(board, 'cia2')).join(', ') || 'RESTORE';
}

function ciaSource(name: string, state: Mos6526State): readonly string[] {
  return named(name, ciaSources, state[cia.flags] & state[cia.mask]);
}

function named(chip: string, sources: readonly string[], bits: number): readonly string[] {
  return sources.filter((_, index) => ((bits >> index) & 1) !== 0).map((source) => `${chip} ${source}`);
}
