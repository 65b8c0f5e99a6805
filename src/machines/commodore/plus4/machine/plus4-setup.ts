import { outputDoubles, outputFields } from '../../../../chips/sample-output.ts';
import { type TedState, fields as ted } from '../../../../chips/ted/fields.ts';
import { TedOutput } from '../../../../chips/ted/sound-output.ts';
import type { Chip } from '../../../../machine/chips.ts';
import { partWords } from '../../board/part-words.ts';
import { aciaChip } from '../../chips/acia-chip.ts';
import { tedChip, tedSources } from '../../chips/ted-chip.ts';
import type { CommodoreSetup, SoundOutput } from '../../machine/commodore-setup.ts';
import { c16Model } from '../c16-model.ts';
import type { Plus4Board } from '../plus4-board.ts';
import { plus4Model } from '../plus4-model.ts';
import { plus4Layout } from '../plus4-state.ts';
import { Plus4CartridgeSlot } from './plus4-cartridge-slot.ts';
import { plus4Fittings } from './plus4-fittings.ts';
import { plus4Probe } from './plus4-probe.ts';
import { Plus4Screen } from './plus4-screen.ts';

/** A board of a Plus/4 or C16, ready to be made a machine of. */
export function plus4Setup(board: Plus4Board, kind: 'plus4' | 'c16'): CommodoreSetup {
  const state: TedState = partWords(board.bytes, plus4Layout, 'ted');
  return {
    model: kind === 'c16' ? c16Model : plus4Model,
    board,
    boardOptions: { kind: 'plus4', options: board.options },
    fittings: plus4Fittings(board),
    basicStart: plus4Model.basicStarts[0],
    cartridges: new Plus4CartridgeSlot(board),
    chips: chipsOf(board, state),
    probe: plus4Probe(board),
    interruptSource: (line) => (line === 'irq' ? irqSource(board, state) : ''),
    newSoundOutput: () => soundOutput(board),
    newScreen: (wholeFrame) => new Plus4Screen(board, wholeFrame),
  };
}

function chipsOf(board: Plus4Board, state: TedState): readonly Chip[] {
  const { acia } = board;
  return [
    tedChip({
      clockHz: board.clockHz,
      register: (index) => board.ted.peek(index),
      fetch: (address) => fetchGraphics(board, address),
      beam: () => ({ line: board.rasterLine, cycle: board.rasterCycle }),
      timers: () =>
        [0, 1, 2].map((timer) => ({
          count: state[ted.timers + timer] ?? 0,
          runs: ((state[ted.timersRun] >> timer) & 1) !== 0,
        })),
      reload: () => state[ted.timerReload],
      isSingleClock: () => state[ted.single] !== 0,
    }),
    ...(acia ? [aciaChip({ register: (index) => acia.peek(index), catchUp: () => board.catchUp() })] : []),
  ];
}

/** As the chip fetches characters and bitmaps: from RAM, or from ROM above $8000. */
function fetchGraphics(board: Plus4Board, address: number): number {
  return board.peek((board.ted.peek(0x12) & 4) !== 0 ? 'rom' : 'ram', address & 0xffff);
}

function soundOutput(board: Plus4Board): SoundOutput {
  const analogue = new Float64Array(outputDoubles);
  const output = new TedOutput(board.sound, analogue, board.clockHz);
  return {
    catchUp: (cycles) => output.catchUp(cycles),
    take: () => output.take(),
    settle: () => {
      analogue[outputFields.high] = analogue[outputFields.low] ?? 0;
    },
  };
}

function irqSource(board: Plus4Board, state: TedState): string {
  const bits = state[ted.irqFlags] & (state[ted.registers + 0x0a] ?? 0);
  const sources = tedSources.filter(({ bit }) => (bits & bit) !== 0).map(({ name }) => `ted ${name}`);
  const isAcia = ((board.acia?.peek(1) ?? 0) & 0x80) !== 0;
  return [...sources, ...(isAcia ? ['acia'] : [])].join(', ');
}
