import type { ByteView } from './byte-view.ts';
import { DwarfCursor } from './dwarf-cursor.ts';
import { type DwarfStrings, readFiles } from './dwarf-files.ts';
import type { LineTable } from './line-table.ts';
import type { Pause } from './pause.ts';

const wideMark = 0xffffffff;
const [endSequence, setAddress] = [1, 2];
const op = {
  extended: 0,
  copy: 1,
  advancePc: 2,
  advanceLine: 3,
  setFile: 4,
  setColumn: 5,
  constAddPc: 8,
  fixedAdvancePc: 9,
  setIsa: 12,
} as const;

interface Program {
  readonly files: readonly string[];
  /** DWARF counts files from 1 before version 5, and from 0 since then. */
  readonly minimumBytes: number;
  readonly lineBase: number;
  readonly lineRange: number;
  readonly opcodeBase: number;
  /** How many operands the opcodes below the special ones have. */
  readonly operands: readonly number[];
}

/** Runs every line program of `.debug_line`, versions 2 to 5. A broken one ends the reading; what came before stays. */
export async function readDwarfLines(
  section: ByteView,
  strings: DwarfStrings,
  into: LineTable,
  pause: Pause,
): Promise<void> {
  let at = 0;
  while (at + 4 < section.length) {
    const wide = section.u32(at) === wideMark;
    const start = at + (wide ? 12 : 4);
    const length = wide ? section.offset64(at + 4) : section.u32(at);
    const end = start + length;
    const cursor = new DwarfCursor(section, start, end, wide);
    const version = cursor.u16();
    if (version >= 2 && version <= 5) await run(cursor, readProgram(cursor, version, strings), into, pause);
    at = end;
  }
}

function readProgram(cursor: DwarfCursor, version: number, strings: DwarfStrings): Program {
  if (version >= 5) cursor.skip(2);
  const headerBytes = cursor.offset();
  const programAt = cursor.at + headerBytes;
  const minimumBytes = cursor.u8();
  if (version >= 4) cursor.skip(1);
  cursor.skip(1);
  const lineBase = cursor.s8();
  const lineRange = cursor.u8();
  const opcodeBase = cursor.u8();
  if (lineRange === 0 || opcodeBase === 0) throw new RangeError('a line table has an empty range');
  const operands = [0, ...Array.from({ length: opcodeBase - 1 }, () => cursor.u8())];
  const files = readFiles(cursor, version, strings);
  cursor.skip(programAt - cursor.at);
  return { files, minimumBytes, lineBase, lineRange, opcodeBase, operands };
}

async function run(cursor: DwarfCursor, program: Program, into: LineTable, pause: Pause): Promise<void> {
  const { files, minimumBytes, lineBase, lineRange, opcodeBase, operands } = program;
  let [address, file, line] = [0n, 1, 1];
  const advance = (instructions: number) => {
    if (!Number.isSafeInteger(instructions * minimumBytes))
      throw new RangeError('a line table leaves the address space');
    address = BigInt.asUintN(64, address + BigInt(instructions * minimumBytes));
  };
  const emit = () => into.add(address, files[file] ?? '?', Math.max(0, line));
  for (let count = 0; !cursor.done; count++) {
    if ((count & 1023) === 0) await pause();
    const opcode = cursor.u8();
    if (opcode >= opcodeBase) {
      const special = opcode - opcodeBase;
      advance(Math.floor(special / lineRange));
      line += lineBase + (special % lineRange);
      if (!emit()) return;
    } else if (opcode === op.extended) {
      const length = cursor.unsigned();
      const next = cursor.at + length;
      const code = length > 0 ? cursor.u8() : 0;
      if (code === setAddress) address = cursor.address(length - 1);
      else if (code === endSequence) {
        into.endRun(address);
        [address, file, line] = [0n, 1, 1];
      }
      cursor.skip(next - cursor.at);
    } else if (opcode === op.copy) {
      if (!emit()) return;
    } else if (opcode === op.advancePc) advance(cursor.unsigned());
    else if (opcode === op.advanceLine) line += cursor.signed();
    else if (opcode === op.setFile) file = cursor.unsigned();
    else if (opcode === op.constAddPc) advance(Math.floor((255 - opcodeBase) / lineRange));
    else if (opcode === op.fixedAdvancePc) address += BigInt(cursor.u16());
    else for (let n = operands[opcode] ?? 0; n > 0; n--) cursor.unsigned();
  }
}
