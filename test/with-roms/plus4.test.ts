import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tokenise } from '../../src/formats/commodore/basic/tokenise.ts';
import { CommodoreDisk } from '../../src/formats/commodore/media/commodore-disk.ts';
import { KeyMatrix } from '../../src/machines/commodore/machine/key-matrix.ts';
import { Plus4Board, type Plus4Options } from '../../src/machines/commodore/plus4/plus4-board.ts';
import { plus4Model } from '../../src/machines/commodore/plus4/plus4-model.ts';

/** A folder with the original ROMs as VICE names them (PLUS4/, DRIVES/): nobody may ship them, so it is given from outside. */
const data = process.env.FRONTPANEL_ROMS ?? '';
const read = (...path: readonly string[]) => new Uint8Array(readFileSync(join(data, ...path)));
const matrix = new KeyMatrix(plus4Model.keys, plus4Model.shifted);
const letters = '@ABCDEFGHIJKLMNOPQRSTUVWXYZ[£]^_';

function start(options: Partial<Plus4Options> = {}) {
  const { basic, kernal } = plus4Model.roms.images;
  const roms = { basic: read('PLUS4', basic.names[0]), kernal: read('PLUS4', kernal.names[0]) };
  const board = new Plus4Board({ roms, ...options });
  const frames = (count: number) => board.runCycles(count * board.frameSpan);
  const character = (code: number) => letters[code & 63] ?? String.fromCharCode(code & 63);
  const text = () =>
    Array.from({ length: 25 }, (_, row) =>
      Array.from(board.ram.subarray(0xc00 + row * 40, 0xc28 + row * 40), character)
        .join('')
        .trimEnd(),
    )
      .join('\n')
      .trimEnd();
  const press = (key: string) => {
    for (const { column, row } of matrix.keysFor(key) ?? []) board.setKey(column, row, true);
    frames(3);
    for (const { column, row } of matrix.keysFor(key) ?? []) board.setKey(column, row, false);
    frames(2);
  };
  const type = (line: string) => [...line].forEach(press);
  const until = (pattern: RegExp, most: number) => {
    for (let left = most; left > 0 && !pattern.test(text()); left -= 10) frames(10);
    expect(text()).toMatch(pattern);
  };
  until(/READY\.$/, 200);
  return { board, text, press, type, until, frames };
}

describe('a Plus/4 with the original ROMs', { timeout: 600_000 }, () => {
  test.each([
    [64, '60671'],
    [16, '12277'],
  ] as const)('%i KiB: %s bytes free', (ram, free) => {
    expect(start({ ram, hasUserPort: ram === 64 }).text()).toContain(`${free} BYTES FREE`);
  });

  test('loads from a 1541 with its own ROM', () => {
    const disk = CommodoreDisk.create('d64', 'WORK', 'FP');
    disk.write('HELLO', tokenise('10 PRINT "SO IT RUNS"', { letters: 'upper', loadAddress: 0x1001 }).bytes);
    const { board, type, until, frames } = start({
      driveRoms: { 1541: read('DRIVES', 'dos1541-325302-01+901229-05.bin') },
    });
    board.drives.attach(8, disk.image.bytes);
    frames(150);
    type('LOAD"HELLO",8\n');
    until(/LOADING\s+READY\.$/, 1500);
    type('RUN\n');
    until(/SO IT RUNS/, 50);
  });

  test('saves to the datasette and loads what it has saved', () => {
    const { board, type, press, until } = start();
    type('10 PRINT"HI"\nSAVE"A"\n');
    until(/PRESS PLAY & RECORD/, 50);
    board.tape.press('record');
    until(/SAVING A\s+READY\.$/, 3000);
    board.tape.press('rewind');
    type('NEW\nLOAD\n');
    until(/PRESS PLAY ON TAPE/, 50);
    board.tape.press('play');
    until(/FOUND A/, 3000);
    press('cbm');
    until(/LOADING\s+READY\.$/, 3000);
    type('LIST\n');
    until(/LIST\s+10 PRINT"HI"/, 50);
  });
});
