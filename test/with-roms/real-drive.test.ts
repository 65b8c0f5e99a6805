import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { tokenise } from '../../src/formats/commodore/basic/tokenise.ts';
import { tapOf } from '../../src/formats/commodore/media/cbm-tape-testing.ts';
import { CommodoreDisk } from '../../src/formats/commodore/media/commodore-disk.ts';
import { writeG64 } from '../../src/formats/commodore/media/g64.ts';
import { SectorImage } from '../../src/formats/commodore/media/sector-image.ts';
import type { Desk } from '../c64/desk.ts';
import { originalC64 } from './originals.ts';

const folder = mkdtempSync(join(tmpdir(), 'fp-1541-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const program = (text: string) => tokenise(text, { letters: 'upper' }).bytes;
const file = (name: string, bytes: Uint8Array) => {
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
};
const screen = async (desk: Desk) => desk.call('screen_read');
const type = async (desk: Desk, text: string, frames: number) => {
  await desk.call('input_send', { text });
  for (let left = frames; left > 0; left -= 200) await desk.call('run', { frames: 200, timeout_ms: 50_000 });
};
const diskIn = async (desk: Desk) => {
  const bytes = await desk.machine().media?.bytes('drive8');
  return new CommodoreDisk(new SectorImage(bytes ?? new Uint8Array()));
};

describe('with the original ROMs', { timeout: 600_000 }, () => {
  test('a 1541 loads from D64 and G64 and writes files', async () => {
    const disk = CommodoreDisk.create('d64', 'WORK', 'FP');
    const source = '10 OPEN 1,8,2,"NEW,S,W":FOR I=1 TO 40:PRINT#1,"LINE";I:NEXT:CLOSE 1\n20 PRINT "DONE"\n';
    disk.write('WRITER', program(source));
    for (const path of [file('a.d64', disk.image.bytes), file('a.g64', writeG64(disk.image))]) {
      const desk = await originalC64();
      expect(await desk.call('machine_list')).not.toMatch(/ERROR/);
      await desk.call('program_run', { path });
      await desk.call('run', { screen_text: 'DONE', timeout_ms: 50_000 });
      expect(await screen(desk)).toMatch(/^DONE/m);
      if (path.endsWith('d64')) {
        const written = await diskIn(desk);
        expect(new TextDecoder().decode(written.read('NEW'))).toMatch(/^LINE 1 \rLINE 2 \r/);
        expect(written.validate()).toBe(0);
      }
      await desk.close();
    }
    expect(Buffer.compare(readFileSync(join(folder, 'a.d64')), disk.image.bytes)).toBe(0);
  });

  test('what is started is the first file of the disk that is in, not the one loaded last', async () => {
    const diskOf = (name: string, says: string) => {
      const disk = CommodoreDisk.create('d64', says, 'FP');
      disk.write(name, program(`10 PRINT "${says} RUNS"\n`));
      disk.write('SHARED', program(`10 PRINT "NOT ${says}"\n`));
      return file(`${says}.d64`, disk.image.bytes);
    };
    const desk = await originalC64();
    await desk.call('program_run', { path: diskOf('ONE', 'FIRST') });
    await desk.call('run', { screen_text: 'FIRST RUNS', timeout_ms: 50_000 });
    await type(desk, 'LOAD"SHARED",8\n', 600);
    await desk.call('program_run', { path: diskOf('TWO', 'SECOND') });
    await desk.call('run', { screen_text: 'SECOND RUNS', timeout_ms: 50_000 });
    expect(await screen(desk)).toMatch(/^SECOND RUNS/m);
    await desk.close();
  });

  test('relative files are the same as those of the quick drive', async () => {
    const source = `10 OPEN 15,8,15:OPEN 2,8,2,"REL,L,"+CHR$(30)
20 FOR I=1 TO 12:PRINT#15,"P"+CHR$(98)+CHR$(I*7)+CHR$(0)+CHR$(1):PRINT#2,"RECORD";I*7:NEXT
30 PRINT#15,"P"+CHR$(98)+CHR$(14)+CHR$(0)+CHR$(1):INPUT#2,A$:PRINT A$
40 CLOSE 2:CLOSE 15:PRINT "DONE"
`;
    const disks: CommodoreDisk[] = [];
    for (const drives of ['1541', 'fast']) {
      const disk = CommodoreDisk.create('d64', 'WORK', 'FP');
      disk.write('RELATIVE', program(source));
      const desk = await originalC64({ drives });
      await desk.call('program_run', { path: file('r.d64', disk.image.bytes) });
      for (let tries = 0; tries < 5 && !/^DONE/m.test(await screen(desk)); tries++) {
        await desk.call('run', { screen_text: 'DONE', timeout_ms: 50_000 });
      }
      expect(await screen(desk)).toMatch(/^RECORD 14/m);
      disks.push(await diskIn(desk));
      await desk.close();
    }
    const [real, quick] = disks.map((disk) =>
      disk.records('REL').map((record) => Buffer.from(record).toString('latin1')),
    );
    expect(quick?.length).toBe(real?.length);
    expect(quick).toEqual(real);
    expect(disks[1]?.find('REL')?.blocks).toBe(disks[0]?.find('REL')?.blocks);
  });

  test('a disk is formatted, and one file saved on it', async () => {
    const desk = await originalC64();
    const blank = SectorImage.blank(CommodoreDisk.create('d64').image.geometry);
    await desk.call('media_attach', { slot: 'drive8', path: file('blank.d64', blank.bytes) });
    await desk.call('run', { frames: 60 });
    await type(desk, 'OPEN15,8,15,"N:FRESH,AB":CLOSE15\n', 4600);
    await type(desk, '10 PRINT "SAVED"\nSAVE"KEPT",8\n', 600);
    const disk = await diskIn(desk);
    expect([disk.name, disk.id, disk.directory().map(({ name }) => name)]).toEqual(['FRESH', 'AB', ['KEPT']]);
    expect(disk.freeBlocks).toBe(663);
    await desk.close();
  });

  test('a drive that gets a disk answers at once', async () => {
    const desk = await originalC64();
    const disk = CommodoreDisk.create('d64', 'NINE', 'FP');
    disk.write('HELLO', program('10 PRINT "FROM NINE"\n'));
    await desk.call('media_attach', { slot: 'drive9', path: file('nine.d64', disk.image.bytes) });
    await desk.call('input_send', { text: 'LOAD"*",9\n' });
    await desk.call('run', { frames: 600, timeout_ms: 50_000 });
    expect(await screen(desk)).toMatch(/LOADING\s+READY\.\s*$/m);
    // It is there also when the moment is run again.
    await desk.call('run', { back: true, frames: 650, timeout_ms: 50_000 });
    await desk.call('run', { frames: 650, timeout_ms: 50_000 });
    expect(await screen(desk)).toMatch(/LOADING\s+READY\.\s*$/m);
    await desk.close();
  });

  test('names of the ROMs, and a busy machine or a disk that starts on its own', async () => {
    const desk = await originalC64({ drives: 'fast' });
    expect(await desk.call('disassemble', { address: 'BASIC.NEWSTT', count: 1 })).toMatch(/^BASIC\.NEWSTT:/);
    expect(await desk.call('disassemble', { address: '$f1ca', count: 1 })).toMatch(/^KERNAL\.CHROUT:/);
    expect(await desk.call('disassemble', { address: '$ffd2', count: 1 })).toMatch(/^CHROUT:/);
    for (const busy of [
      { source: '10 input a\n', language: 'basic' },
      { source: '* = $c000\nloop jsr $ffcf\n jmp loop' },
    ]) {
      await desk.call('program_run', busy);
      await desk.call('run', { frames: 30 });
      expect(await desk.call('program_run', { source: '10 print "it runs"\n', language: 'basic' })).toMatch(/busy/);
      await desk.call('run', { frames: 30 });
      expect(await screen(desk)).toMatch(/^IT RUNS/m);
    }
    const disk = CommodoreDisk.create('d64', 'SELF', 'FP');
    const boot = Uint8Array.of(0xa7, 0x02, 0xee, 0x20, 0xd0, 0x4c, 0xa7, 0x02, ...new Array(0x53).fill(0));
    disk.write('BOOT', Uint8Array.of(...boot, 0xa7, 0x02, 0xa7, 0x02));
    const answer = await desk.call('program_run', { path: file('self.d64', disk.image.bytes) });
    expect(answer).toMatch(/it has started on its own/);
    await desk.close();
  });

  test('a tape is loaded and run', async () => {
    const desk = await originalC64();
    const path = file('t.tap', tapOf('HELLO', 0x801, program('10 PRINT "FROM TAPE"\n').subarray(2)));
    expect(await desk.call('program_run', { path })).toMatch(/^loaded/);
    await desk.call('run', { frames: 50 });
    expect(await screen(desk)).toMatch(/^FROM TAPE/m);
    await desk.close();
  });
});
