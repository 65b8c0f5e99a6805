import type { FileLine, FileSymbol } from '../../../formats/commodore/symbols/symbol-file.ts';
import { readDwarfLines } from '../../../formats/elf/dwarf-lines.ts';
import { ElfFile } from '../../../formats/elf/elf.ts';
import { elfSymbols } from '../../../formats/elf/elf-symbols.ts';
import { LineTable } from '../../../formats/elf/line-table.ts';
import { pauses } from '../../../formats/elf/pause.ts';

/** The number that ELF has for the 6502. */
const mos6502 = 6502;
const addresses = 0x10000;

/** Names and lines of a program that llvm-mos has made. Throws a RangeError for a file that is cut short, or for another processor. */
export async function readElfProgram(bytes: Uint8Array): Promise<{ symbols: FileSymbol[]; lines: FileLine[] }> {
  const elf = new ElfFile(bytes);
  if (elf.machine !== mos6502) throw new RangeError(`this ELF file is for processor ${elf.machine}, not for a 6502`);
  const symbols = (await elfSymbols(elf, pauses())).map(({ name, address }) => ({ name, address: Number(address) }));
  const table = new LineTable();
  const [program, lineStrings, strings] = [
    await elf.content(elf.section('.debug_line')),
    await elf.content(elf.section('.debug_line_str')),
    await elf.content(elf.section('.debug_str')),
  ];
  await readDwarfLines(program, { lineStrings, strings }, table, pauses());
  return { symbols, lines: linesOf(table) };
}

/** One for each run of addresses that the same line has made. */
function linesOf(table: LineTable): FileLine[] {
  const lines: FileLine[] = [];
  let run: { readonly place: string; readonly first: number } | undefined;
  for (let address = 0; address <= addresses; address++) {
    const place = address === addresses ? undefined : table.at(BigInt(address));
    if (place === run?.place) continue;
    if (run) {
      const colon = run.place.lastIndexOf(':');
      const [file, line] = [run.place.slice(0, colon), Number(run.place.slice(colon + 1))];
      lines.push({ address: run.first, length: address - run.first, file, line, isHigh: true });
    }
    run = place === undefined ? undefined : { place, first: address };
  }
  return lines;
}
