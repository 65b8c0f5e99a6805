import { fields as cia, type Mos6526State } from '../../../../chips/mos6526/fields.ts';
import type { Sid } from '../../../../chips/sid/sid.ts';
import { outputDoubles, outputFields, SidOutput } from '../../../../chips/sid/sid-output.ts';
import { type Vic2State, fields as vic } from '../../../../chips/vic2/fields.ts';
import type { Chip } from '../../../../machine/chips.ts';
import { type CiaView, ciaChip } from '../../chips/cia-chip.ts';
import { sidChip } from '../../chips/sid-chip.ts';
import { vic2Chip } from '../../chips/vic2-chip.ts';
import type { CommodoreModel } from '../../machine/commodore-model.ts';
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
    model: {
      ...c64Model,
      get chips() {
        return [...secondSid(board), ...c64Model.chips];
      },
    },
    board,
    boardOptions: { kind: 'c64', options: board.options },
    basicStart: c64Model.basicStarts[0],
    cartridges: new C64CartridgeSlot(board),
    fittings: c64Fittings(board),
    chips: chipsOf(board, video),
    pluggedChips: () => secondSid(board).map(() => secondSidChip(board)),
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
      name: 'sid',
      base: 0xd400,
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

/** The second SID among the chips, if there is one. */
function secondSid(board: C64Board): CommodoreModel['chips'] {
  const { isIn, address } = board.sids.fitted;
  return isIn ? [{ name: 'sid2', first: address, last: address + 31, registers: 32 }] : [];
}

function secondSidChip(board: C64Board): Chip {
  return sidChip({
    name: 'sid2',
    base: board.sids.fitted.address,
    state: boardWords(board, 'sid2'),
    clockHz: board.clockHz,
    model: board.chips.sid,
    register: (index) => board.sids.second.peek(index),
    catchUp: () => board.catchUp(),
  });
}

/** What two chips play comes out of one loudspeaker. */
function soundOutput(board: C64Board): SoundOutput {
  const first = outputOf(board, board.sid, 'sid');
  if (!board.sids.fitted.isIn) return first;
  const second = outputOf(board, board.sids.second, 'sid2');
  return {
    catchUp: (cycles) => {
      first.catchUp(cycles);
      second.catchUp(cycles);
    },
    take: () => mixed(first.take(), second.take()),
    settle: () => {
      first.settle();
      second.settle();
    },
  };
}

/** As loud as each alone, cut off where that is too loud. */
function mixed(one: Int16Array, other: Int16Array): Int16Array {
  return one.map((sample, index) => Math.max(-0x8000, Math.min(0x7fff, sample + (other[index] ?? 0))));
}

function outputOf(board: C64Board, chip: Sid, part: 'sid' | 'sid2'): SoundOutput {
  const analogue = new Float64Array(outputDoubles);
  const output = new SidOutput(chip, boardWords(board, part), analogue, board.chips.sid, board.clockHz);
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
