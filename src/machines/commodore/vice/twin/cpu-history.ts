import type { Registers } from './registers.ts';

/** Where the processor of VICE was before an instruction. */
export interface HistoryLine extends Registers {
  readonly time: number;
  /** As VICE writes it. */
  readonly text: string;
}

const line =
  /^\.C:([0-9a-f]{4})\s+((?:[0-9A-F]{2} )+)\s*(\S.*?)\s+A:([0-9a-f]{2}) X:([0-9a-f]{2}) Y:([0-9a-f]{2}) SP:([0-9a-f]{2}) (\S{8})\s+(\d+)\s*$/i;
const flagBits = [0x80, 0x40, 0, 0, 0x08, 0x04, 0x02, 0x01];

/** What `chis` prints of the main processor; lines of drives and others are left out. */
export function readHistory(text: string): readonly HistoryLine[] {
  return text.split('\n').flatMap((each) => {
    const found = line.exec(each);
    if (!found) return [];
    const [, pc = '', , instruction = '', a = '', x = '', y = '', sp = '', flags = '', time = ''] = found;
    return [
      {
        time: Number(time),
        pc: Number.parseInt(pc, 16),
        a: Number.parseInt(a, 16),
        x: Number.parseInt(x, 16),
        y: Number.parseInt(y, 16),
        sp: Number.parseInt(sp, 16),
        flags: flagBits.reduce((sum, bit, index) => ('.-'.includes(flags[index] ?? '.') ? sum : sum | bit), 0),
        text: instruction,
      },
    ];
  });
}
