import { Mos6560Output } from '../../../../chips/mos6560/sound-output.ts';
import { outputDoubles, outputFields } from '../../../../chips/sample-output.ts';
import { type Via6522State, fields as via } from '../../../../chips/via6522/fields.ts';
import type { Chip } from '../../../../machine/chips.ts';
import { partWords } from '../../board/part-words.ts';
import { type ViaView, viaChip, viaSources } from '../../chips/via-chip.ts';
import { vic1Chip } from '../../chips/vic1-chip.ts';
import type { CommodoreSetup, SoundOutput } from '../../machine/commodore-setup.ts';
import type { RamBlock } from '../memory-expansion.ts';
import type { Vic20Board } from '../vic20-board.ts';
import { vic20Model } from '../vic20-model.ts';
import { vic20Layout } from '../vic20-state.ts';
import { Vic20CartridgeSlot } from './vic20-cartridge-slot.ts';
import { vic20Fittings } from './vic20-fittings.ts';
import { vic20Probe } from './vic20-probe.ts';
import { Vic20Screen } from './vic20-screen.ts';

const uses = {
  via1: {
    portA: 'serial bus in, joystick, tape sense',
    portB: 'user port',
    lines: 'RESTORE, tape motor',
  },
  via2: {
    portA: 'keyboard rows',
    portB: 'keyboard columns, joystick right, tape write',
    lines: 'tape read, serial bus out',
  },
} as const;

/** A board of a VIC-20, ready to be made a machine of. */
export function vic20Setup(board: Vic20Board): CommodoreSetup {
  const words = (name: 'via1' | 'via2'): Via6522State => partWords(board.bytes, vic20Layout, name);
  const [via1, via2] = [words('via1'), words('via2')];
  return {
    model: vic20Model,
    board,
    boardOptions: { kind: 'vic20', options: board.options },
    get basicStart() {
      return basicStart(board.fitted.blocks);
    },
    cartridges: new Vic20CartridgeSlot(board),
    fittings: vic20Fittings(board),
    chips: chipsOf(board, { via1, via2 }),
    probe: vic20Probe(board),
    interruptSource: (line) => (line === 'irq' ? viaSource('via2', via2) : viaSource('via1', via1)),
    newSoundOutput: () => soundOutput(board),
    newScreen: (wholeFrame) => new Vic20Screen(board, wholeFrame),
  };
}

function chipsOf(board: Vic20Board, states: Readonly<Record<'via1' | 'via2', Via6522State>>): readonly Chip[] {
  const viaView = (name: 'via1' | 'via2', base: number): ViaView => ({
    name,
    base,
    uses: uses[name],
    state: states[name],
    register: (index) => board[name].peek(index),
    catchUp: () => board.catchUp(),
  });
  return [
    vic1Chip({
      get clockHz() {
        return board.clockHz;
      },
      register: (index) => board.vic.peek(index),
      fetch: (address) => board.peek('vic', address),
      beam: () => ({ line: board.rasterLine, cycle: board.rasterCycle }),
    }),
    viaChip(viaView('via1', 0x9110)),
    viaChip(viaView('via2', 0x9120)),
  ];
}

function soundOutput(board: Vic20Board): SoundOutput {
  const analogue = new Float64Array(outputDoubles);
  const output = new Mos6560Output(board.sound, analogue, board.clockHz);
  return {
    catchUp: (cycles) => output.catchUp(cycles),
    take: () => output.take(),
    settle: () => {
      analogue[outputFields.high] = analogue[outputFields.low] ?? 0;
    },
  };
}

/** RESTORE comes through CA1 of VIA 1. */
function viaSource(name: 'via1' | 'via2', state: Via6522State): string {
  const bits = state[via.ifr] & state[via.ier];
  const sources = viaSources.filter((_, index) => ((bits >> index) & 1) !== 0);
  return sources
    .map((source) => (name === 'via1' && source === 'CA1' ? 'via1 RESTORE' : `${name} ${source}`))
    .join(', ');
}

/** With 8K and more the screen moves to $1000 and BASIC comes after it; 3K lie before the memory that is built in. */
function basicStart(blocks: readonly RamBlock[]): number {
  if (blocks.includes('BLK1')) return vic20Model.basicStart.large;
  return blocks.includes('RAM123') ? vic20Model.basicStart['3k'] : vic20Model.basicStart.none;
}
