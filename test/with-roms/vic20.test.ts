import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { tokenise } from '../../src/formats/commodore/basic/tokenise.ts';
import { tapOf } from '../../src/formats/commodore/media/cbm-tape-testing.ts';
import { CommodoreDisk } from '../../src/formats/commodore/media/commodore-disk.ts';
import { Vic20Bench } from '../../src/machines/commodore/vic20/vic20-bench-testing.ts';
import { vic20Model } from '../../src/machines/commodore/vic20/vic20-model.ts';
import { Desk } from '../c64/desk.ts';
import { here } from '../support/tool-bench.ts';

/** A folder with the original ROMs as VICE names them (VIC20/, DRIVES/): nobody may ship them, so it is given from outside. */
const data = process.env.FRONTPANEL_ROMS ?? '';
const read = (...path: readonly string[]) => new Uint8Array(readFileSync(join(data, ...path)));
const original = (isNtsc = false) => ({
  basic: read('VIC20', vic20Model.roms.images.basic.names[0]),
  kernal: read('VIC20', vic20Model.roms.images.kernal.names[isNtsc ? 1 : 0]),
  chargen: read('VIC20', vic20Model.roms.images.chargen.names[0]),
});
const driveRom = () => read('DRIVES', 'dos1541-325302-01+901229-05.bin');

describe('a VIC-20 with the original ROMs', { timeout: 600_000 }, () => {
  test.each([
    ['6561', 'none', '3583'],
    ['6560', '24k', '28159'],
  ] as const)('%s with expansion %s: %s bytes free', (vic, expansion, free) => {
    const bench = new Vic20Bench({ roms: original(vic === '6560'), vic, expansion });
    bench.until(() => bench.text().endsWith('READY.'), 200);
    expect(bench.text()).toContain(`${free} BYTES FREE`);
  });

  test('loads from a 1541 with its own ROM and saves to it', () => {
    const disk = CommodoreDisk.create('d64', 'WORK', 'FP');
    disk.write('HELLO', tokenise('10 PRINT "SO IT RUNS"\n').bytes);
    const bench = new Vic20Bench({ roms: original(), driveRoms: { 1541: driveRom() } });
    bench.until(() => bench.text().endsWith('READY.'), 200);
    bench.board.drives.attach(8, disk.image.bytes);
    bench.frames(200);
    expect(bench.command('LOAD"HELLO",8', 3000)).toMatch(/SEARCHING FOR HELLO\s+LOADING\s+READY\.$/);
    expect(bench.command('RUN')).toContain('RUN\nSO IT RUNS');
    bench.command('10 PRINT 2');
    expect(bench.command('SAVE"TWO",8', 3000)).toContain('SAVING TWO');
    expect(bench.command('VERIFY"TWO",8', 3000)).toContain('OK');
  });

  test('our ROMs talk to a 1541 as well', () => {
    const disk = CommodoreDisk.create('d64', 'WORK', 'FP');
    disk.write('HELLO', tokenise('10 PRINT "SO IT RUNS"\n').bytes);
    const bench = new Vic20Bench({ driveRoms: { 1541: driveRom() } }).boot();
    bench.board.drives.attach(8, disk.image.bytes);
    bench.frames(200);
    expect(bench.command('LOAD"HELLO",8', 3000)).toMatch(/LOADING\s+READY\.$/);
    expect(bench.command('RUN')).toContain('RUN\nSO IT RUNS');
    bench.command('10 PRINT 2');
    bench.command('SAVE"TWO",8', 3000);
    bench.command('NEW');
    bench.command('LOAD"TWO",8', 3000);
    expect(bench.command('RUN')).toMatch(/RUN\n 2\n/);
  });

  test('each KERNAL reads what the other has recorded', () => {
    const benches = [new Vic20Bench({ roms: original() }), new Vic20Bench()];
    for (const [index, writer] of benches.entries()) {
      const reader = benches[1 - index] as Vic20Bench;
      for (const bench of [writer, reader]) {
        bench.board.powerUp();
        bench.until(() => bench.text().endsWith('READY.') && bench.isWaiting, 200);
      }
      writer.command('10 PRINT "FROM TAPE"');
      writer.type('SAVE"T"\n');
      writer.until(() => writer.text().includes('RECORD'), 60);
      writer.board.tape.press('record');
      writer.frames(20);
      writer.until(() => writer.isWaiting, 4000);
      const image = writer.board.tape.bytes();
      if (!image) throw new Error('nothing was recorded');
      reader.board.tape.insert(image);
      reader.type('LOAD\n');
      reader.until(() => reader.text().includes('PLAY ON TAPE'), 60);
      reader.board.tape.press('play');
      reader.frames(20);
      reader.until(() => reader.isWaiting, 4000);
      expect(reader.command('RUN')).toContain('RUN\nFROM TAPE');
    }
  });
});

describe('the kind vic20 with the original ROMs', { timeout: 600_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'fp-vic20-roms-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const file = (name: string, bytes: Uint8Array) => {
    writeFileSync(join(folder, name), bytes);
    return join(folder, name);
  };
  const program = (text: string) => tokenise(text, { loadAddress: vic20Model.basicStart.none }).bytes;

  test.each([
    ['pal', 'none', '901486-07'],
    ['ntsc', 'all', '901486-06'],
  ])('%s with expansion %s has KERNAL %s and starts what is on disk and tape', async (video, expansion, kernal) => {
    const desk = await Desk.withVic20({ roms: data, video, expansion }, here);
    try {
      expect(desk.machine().introduction?.().join()).toContain(kernal);
      const disk = CommodoreDisk.create('d64', 'WORK', 'FP');
      disk.write('HELLO', program('10 PRINT "FROM DISK"'));
      await desk.call('program_run', { path: file('work.d64', disk.image.bytes) });
      await desk.call('run', { frames: 60 });
      expect(await desk.call('screen_read')).toContain('FROM DISK');
      const tape = tapOf('ONE', vic20Model.basicStart.none, program('10 PRINT "FROM TAPE"').subarray(2));
      await desk.call('program_run', { path: file('one.tap', tape) });
      await desk.call('run', { frames: 60 });
      expect(await desk.call('screen_read')).toContain('FROM TAPE');
    } finally {
      await desk.close();
    }
  });
});
