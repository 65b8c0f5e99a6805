import { expect, test } from 'vitest';
import { TimeSlice } from '../../shared/time-slice.ts';
import type { SavedSymbols } from '../symbols/commodore-symbols.ts';
import { readSymbols, writeSymbols } from './symbols-part.ts';

const none: SavedSymbols = { entries: [], lines: [], annotations: [], texts: [], scopes: [] };
const read = (text: string) => readSymbols(new TextEncoder().encode(text), new TimeSlice());

test('what was written is read again', async () => {
  const symbols: SavedSymbols = {
    entries: [
      { name: 'loop', address: 0xc000, source: 'a.asm' },
      { name: 'size', address: -3, isConstant: true, file: 'a.asm', line: 7, source: 'a.asm' },
    ],
    lines: [
      ['a.asm', [{ address: 0xc000, length: 3, file: 'a.asm', line: 1, isHigh: true }]],
      ['b.asm', []],
    ],
    annotations: [{ type: 'note', description: 'two\nlines', file: 'a.asm', line: 1, label: 'loop', source: 'a.asm' }],
    scopes: [
      [
        'a.dbg',
        [
          {
            ...{ name: 'add', address: 0x840, length: 20 },
            variables: [
              { name: 'left', place: 'stack', at: -2 },
              { name: 'sum', place: 'memory', at: 0x900, bytes: 2 },
            ],
            uses: [{ name: 'pushax', at: [0x840, 0x843] }],
          },
        ],
      ],
    ],
    texts: [
      [
        'a.asm',
        [
          ['a.asm', 'loop: jmp loop ; ä\n'.repeat(2000)],
          ['empty.asm', ''],
        ],
      ],
    ],
  };
  expect(await readSymbols(await writeSymbols(symbols, new TimeSlice()), new TimeSlice())).toEqual(symbols);
  expect(await readSymbols(await writeSymbols(none, new TimeSlice()), new TimeSlice())).toEqual(none);
});

test.each([
  ['no JSON', '{"symbol":\n', /JSON/],
  ['a row of no sort', '{"constructor":1}\n', /no sort/],
  ['a list', '[]\n', /no sort/],
  ['a line of no source', '{"line":{"address":1,"length":1,"file":"a","line":1}}\n', /belongs to nothing/],
  ['a use in no function', '{"scopes_of":"a"}\n{"use":{"name":"b","at":[1]}}\n', /belongs to nothing/],
  ['a text of no file', '{"texts_of":"a"}\n{"text":"b"}\n{"file":"c"}\n', /belongs to nothing/],
  ['a row without end', `{"text":"${'x'.repeat(40_000)}"}\n`, /without end/],
  ['a row that is cut', '{"file":"a"}', /without end/],
  ['too many sources', '{"lines_of":"a"}\n'.repeat(65), /more than 64 rows/],
])('%s is refused', async (_what, text, why) => {
  await expect(read(text)).rejects.toThrow(why);
});
