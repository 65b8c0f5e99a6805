import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tokenise } from '../../src/formats/commodore/basic/tokenise.ts';
import { pulsesOf, type TapeFile, tapFile, tapOf } from '../../src/formats/commodore/media/cbm-tape-testing.ts';
import { CommodoreDisk } from '../../src/formats/commodore/media/commodore-disk.ts';
import { readCrt, writeCrt } from '../../src/formats/commodore/media/crt.ts';
import { readG64, writeG64 } from '../../src/formats/commodore/media/g64.ts';
import { pulsesOf as diskPulses, p64Of } from '../../src/formats/commodore/media/p64-testing.ts';
import { pulses, readTap } from '../../src/formats/commodore/media/tap.ts';
import { here } from '../support/tool-bench.ts';
import { Desk } from './desk.ts';

let desk: Desk;
let folder: string;
beforeAll(async () => {
  desk = await Desk.withC64({}, here);
  folder = mkdtempSync(join(tmpdir(), 'fp-media-'));
});
afterAll(async () => {
  await desk.close();
  rmSync(folder, { recursive: true, force: true });
});

const file = (name: string, bytes: Uint8Array) => {
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
};
const mediaBytes = async (slot: string) => (await desk.machine().media?.bytes(slot)) ?? new Uint8Array();

describe('the cartridge port', () => {
  /** Boots in Ultimax mode, copies a routine to RAM and programs a byte of each flash chip from there. */
  const source = `* = $e000
start   ldx #0
copy    lda routine,x
        sta $0400,x
        inx
        bne copy
        jmp $0400
routine lda #$87
        sta $de02
        lda #3
        sta $de00
        ldx #$aa
        stx $8555
        lda #$55
        sta $82aa
        ldy #$a0
        sty $8555
        lda #$5a
        sta $8123
        stx $e555
        lda #$55
        sta $e2aa
        sty $e555
        lda #$a5
        sta $f234
        lda #$85
        sta $de02
        stx $8555
        lda #$55
        sta $82aa
        sty $8555
        lda #$5a
        sta $8123
        stx $e555
        lda #$55
        sta $e2aa
        sty $e555
        lda #$a5
        sta $f234
        lda $8123
        sta $0600
        lda $f234
        sta $0601
        jmp *-3
        * = $fffc
        .word start, start
`;

  test('a program on an EasyFlash writes to its flash, which can be read and taken out', async () => {
    const { assemble } = await import('../../src/formats/commodore/assembler/assemble.ts');
    const { bytes, errors } = assemble(source);
    expect(errors).toEqual([]);
    const high = new Uint8Array(0x2000).fill(0xff);
    high.set(bytes);
    const crt = writeCrt({
      name: 'FLASH',
      version: 0x100,
      hardware: 32,
      hardwareName: 'EasyFlash',
      exrom: 1,
      game: 0,
      chips: [{ type: 'flash', bank: 0, address: 0xa000, size: 0x2000, bytes: high }],
    });
    expect(await desk.call('media_attach', { slot: 'cartridge', path: file('e.crt', crt) })).toMatch(/"FLASH"/);
    expect(await desk.bytes('$2000', 2, 'cart')).toBe('A200');
    await desk.call('run', { frames: 3 });
    expect(await desk.bytes('$0600', 2)).toBe('5AA5');
    // Bank 3: 16K for each bank, ROML then ROMH.
    expect(await desk.bytes('0xc123', 1, 'cart')).toBe('5A');
    expect(await desk.bytes('0xf234', 1, 'cart')).toBe('A5');
    const written = readCrt(await mediaBytes('cartridge'));
    expect(written.chips.map(({ bank, address }) => [bank, address])).toEqual([
      [0, 0xa000],
      [3, 0x8000],
      [3, 0xa000],
    ]);
    expect(await desk.call('memory_read', { address: '0x100000', space: 'cart' })).toMatch(/ERROR/);
    await desk.call('snapshot_save', { name: 'programmed' });
    await desk.call('snapshot_restore', { name: 'programmed', into: 'copy' });
    const copy = { machine: 'copy', address: '0xc123', length: 1, space: 'cart' };
    expect((await desk.data('memory_read', copy)).bytes).toBe('5A');
    await desk.call('machine_stop', { machine: 'copy' });
    await desk.call('media_detach', { slot: 'cartridge' });
    expect(await desk.call('memory_read', { address: '0', space: 'cart' })).toMatch(/ERROR/);
    await desk.call('snapshot_restore', { name: 'programmed' });
    expect(await desk.bytes('0xc123', 1, 'cart')).toBe('5A');
    await desk.call('media_detach', { slot: 'cartridge' });
  });
});

describe('drives', () => {
  test('their buffers can be read, a G64 is taken as what the DOS reads of it', async () => {
    const disk = CommodoreDisk.create('d64', 'TRACKS', 'FP');
    disk.write('ONE', Uint8Array.of(1, 8, 2, 3, 4));
    expect(await desk.call('memory_read', { address: '$0300', space: 'drive8' })).toMatch(/ERROR/);
    const path = file('a.g64', writeG64(disk.image));
    expect(await desk.call('media_attach', { slot: 'drive8', path })).toMatch(/disk "TRACKS".*\n.*"ONE" PRG/);
    expect(Buffer.compare(await mediaBytes('drive8'), disk.image.bytes)).toBe(0);
    await desk.call('run', { frames: 200 });
    await desk.call('input_send', { text: 'OPEN 2,8,2,"ONE,P,R"\n' });
    await desk.call('run', { frames: 100 });
    expect(await desk.bytes('$0302', 5, 'drive8')).toBe('0108020304');
    await desk.call('memory_write', { address: '$0302', bytes: '99', space: 'drive8' });
    expect(await desk.bytes('$0302', 1, 'drive8')).toBe('99');
  });

  test('a P64 is taken as the bits that its pulses stand for; a damaged one is refused and leaves what is in', async () => {
    const disk = CommodoreDisk.create('d64', 'PULSES', 'FP');
    disk.write('ONE', Uint8Array.of(1, 8, 2, 3, 4));
    const tracks = readG64(writeG64(disk.image)).tracks.filter(({ halfTrack }) => [34, 36].includes(halfTrack));
    const image = p64Of(
      new Map(tracks.map(({ halfTrack, bytes }) => [halfTrack, diskPulses(bytes, halfTrack === 34 ? 3 : 2)])),
    );
    const path = file('a.p64', image);
    // Only the directory and the track before it are there.
    expect(await desk.call('media_attach', { slot: 'drive8', path })).toMatch(/G64 with \d+ blocks/);
    const sectors = (await mediaBytes('drive8')).subarray(0x16500, 0x16600);
    expect(Buffer.compare(sectors, disk.image.bytes.subarray(0x16500, 0x16600))).toBe(0);
    const odd = file(
      'odd.p64',
      image.map((byte, index) => (index === 999 ? byte ^ 4 : byte)),
    );
    expect(await desk.call('media_attach', { slot: 'drive8', path: odd })).toMatch(/ERROR.*checksum/);
    expect(Buffer.compare((await mediaBytes('drive8')).subarray(0x16500, 0x16600), sectors)).toBe(0);
  });
});

describe('tapes', () => {
  const program = (text: string) => tokenise(text, { letters: 'upper' }).bytes.subarray(2);
  const tape = (...files: TapeFile[]) =>
    tapFile(files.flatMap((each) => pulsesOf({ leader: 300, once: true, ...each })));

  test('go into their slot, and their keys can be pressed', async () => {
    const path = file('t.tap', tapOf('HELLO', 0x801, Uint8Array.of(0, 0)));
    expect(await desk.call('media_attach', { slot: 'drive8', path })).toMatch(
      /Insert it with media_attach \{"slot":"tape"\}/,
    );
    expect(await desk.call('media_attach', { slot: 'tape', path, readonly: true })).toMatch(/tape of 0 min \d+ s/);
    await desk.call('input_send', { keys: ['tape_play'] });
    // SENSE is bit 4 of the processor's port, low while a key is down.
    expect(Number.parseInt(await desk.bytes('1', 1, 'cpu'), 16) & 0x10).toBe(0);
    await desk.call('input_send', { keys: ['tape_stop'] });
    expect(Number.parseInt(await desk.bytes('1', 1, 'cpu'), 16) & 0x10).toBe(0x10);
    expect(await desk.call('input_send', { keys: ['tape_record'] })).toMatch(/write-protected.*\nFix: .*media_attach/);
    await desk.call('media_detach', { slot: 'tape' });
  });

  test('are started with our own KERNAL: BASIC is run, machine code called', async () => {
    const own = await Desk.withC64();
    await own.call('run', { frames: 150 });
    const basic = tape({ name: 'HELLO', address: 0x801, body: program('10 PRINT "FROM TAPE"\n') });
    expect(await own.call('program_run', { path: file('basic.tap', basic) })).toMatch(/^loaded \$0801-\$08[01]./);
    await own.call('run', { frames: 20 });
    expect(await own.call('screen_read')).toMatch(/^FROM TAPE/m);
    const code = tape({ name: 'C', address: 0xc000, body: Uint8Array.of(0xe6, 0xfb, 0x60), kind: 3 });
    await own.call('memory_write', { address: '$fb', bytes: '10' });
    expect(await own.call('program_run', { path: file('code.tap', code) })).toMatch(
      /^loaded \$C000-\$C002, start \$C000/,
    );
    await own.call('run', { frames: 20 });
    expect(await own.bytes('$fb', 1)).toBe('11');
    await own.close();
  });

  test('what is recorded on a tape is kept as a copy and can be taken out', async () => {
    const own = await Desk.withC64();
    await own.call('run', { frames: 150 });
    await own.call('input_send', { keys: ['tape_record'] });
    expect(await own.call('media_attach', {})).toMatch(/tape \(TAP\): blank tape/);
    await own.call('input_send', { text: 'SAVE\n' });
    await own.call('run', { frames: 100 });
    const path = join(folder, 'recorded.tap');
    expect(await own.call('media_attach', {})).toMatch(/tape \(TAP\): blank tape, changed/);
    expect(await own.call('media_detach', { slot: 'tape', save_to: path })).toMatch(/saved to/);
    const lengths = [...pulses(readTap(readFileSync(path)))];
    expect(lengths.length).toBeGreaterThan(1000);
    expect(lengths.slice(-500).every((cycles) => Math.abs(cycles - 384) <= 16)).toBe(true);
    expect(await own.call('media_attach', {})).toMatch(/tape \(TAP\): empty/);
    await own.close();
  });
});
