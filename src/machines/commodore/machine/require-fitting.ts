import { hexWord } from '../../../formats/hex.ts';
import { type Advice, advice, call, MachineError } from '../../../machine/errors.ts';
import type { ProgramSource } from '../../../machine/program.ts';
import type { BoardMemory } from '../board/commodore-board.ts';
import type { CommodoreModel } from './commodore-model.ts';
import { isText } from './program-image.ts';

interface Place {
  readonly firstAddress: number;
  readonly bytes: number;
}

const addressSpace = 0x10000;

/** Throws what is wrong with a program that has nothing to load, or more than there is room for. */
export function requireFitting(
  source: Pick<ProgramSource, 'name' | 'format'>,
  { firstAddress, bytes }: Place,
  memory: Pick<BoardMemory, 'ramEnd'>,
): void {
  if (bytes === 0 && isText(source.format)) {
    const fix = 'Give the text of the program as "source", or its file as "path".';
    throw new MachineError('INVALID_ARGUMENT', `${source.name} has no instruction and no data.`, fix);
  }
  const end = memory.ramEnd(firstAddress);
  if (bytes > 0 && firstAddress + bytes <= end) return;
  const what = bytes === 1 ? '1 byte does' : `${bytes} bytes do`;
  const lack = end === firstAddress ? 'there is no RAM' : `RAM ends at ${hexWord(end - 1)}`;
  const why = bytes > 0 && end < addressSpace ? `: ${lack}` : '';
  const message = `${source.name}: ${what} not fit at ${hexWord(firstAddress)}${why}.`;
  throw new MachineError('INVALID_ARGUMENT', message, why === '' ? [header] : [header, moreMemory]);
}

/** Throws for the text of a BASIC program that reaches into what BASIC does not use, such as the screen. */
export function requireBasicRoom(name: string, lastAddress: number, ram: Uint8Array): void {
  const end = (ram[endOfBasic] ?? 0) | ((ram[endOfBasic + 1] ?? 0) << 8);
  if (lastAddress < end) return;
  const message = `${name} would end at ${hexWord(lastAddress)}, but BASIC's memory ends at ${hexWord(end - 1)}.`;
  throw new MachineError('INVALID_ARGUMENT', message, [advice`Shorten the program.`, moreMemory]);
}

/** The cell of BASIC that says so. */
const endOfBasic = 0x37;
const header = advice`A PRG begins with its load address, low byte first.`;
const moreMemory: Advice = advice`Or start a machine with more memory: ${call('machine_kinds')} lists the options of its kind.`;

/** Throws for machine code that the processor would not see where it begins. */
export function requireSeen(
  name: string,
  firstAddress: number,
  memory: Pick<BoardMemory, 'reads'>,
  { io }: Pick<CommodoreModel, 'io'>,
): void {
  const isRom = (memory.reads[firstAddress >> 8] ?? 0) > 0;
  if (!isRom && (firstAddress < io.first || firstAddress > io.last)) return;
  const what = isRom ? 'ROM' : 'chips';
  throw new MachineError(
    'INVALID_ARGUMENT',
    `${name} begins at ${hexWord(firstAddress)}, where the processor sees ${what} and not the RAM that it is loaded into.`,
    [
      advice`Let it begin elsewhere.`,
      advice`Or load it with "start":false, and call it from code that switches the ${what} off.`,
    ],
  );
}
