import { describe, expect, test } from 'vitest';
import { CommodoreDisk } from '../../../formats/commodore/media/commodore-disk.ts';
import { SectorImage } from '../../../formats/commodore/media/sector-image.ts';
import { BusMaster } from './bus-master.ts';

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const text = (codes: Uint8Array) => String.fromCharCode(...codes);
const long = Array.from({ length: 600 }, (_, at) => String.fromCharCode((at * 13) & 255)).join('');

function master(prepare: (disk: CommodoreDisk) => void = () => {}, readOnly = false): BusMaster {
  const bus = new BusMaster();
  const disk = CommodoreDisk.create('d64', 'WORK', 'FP');
  prepare(disk);
  bus.drives.attach(8, disk.image.bytes, { readOnly });
  bus.talk(8, 0x6f);
  return bus;
}

const isSame = (a: Uint8Array | undefined, b: Uint8Array) => Buffer.from(a ?? []).equals(b);
const diskOf = (bus: BusMaster) => new CommodoreDisk(new SectorImage(bus.drives.image(8) ?? new Uint8Array()));
const status = (bus: BusMaster) => bus.talk(8, 0x6f);
const command = (bus: BusMaster, line: string) => {
  bus.listen(8, 0x6f, line);
  return status(bus);
};
function load(bus: BusMaster, name: string): string {
  bus.open(8, 0, name);
  const contents = bus.talk(8, 0x60);
  bus.close(8, 0);
  return contents;
}

describe('the bus', () => {
  test('nobody answers on an empty one', () => {
    const bus = new BusMaster();
    bus.command(0x28, 0xf0);
    expect(bus.failure).toBe('absent');
  });

  test('attention is answered within a millisecond by the drive alone that is meant', () => {
    const bus = master();
    bus.pull({ attention: true, clock: true });
    expect(bus.until(() => !bus.dataIsHigh)).toBeLessThan(1000);
    bus.wait(1000);
    bus.send(0x29);
    bus.wait(1000);
    expect(bus.failure).toBeUndefined();
    bus.send(0xf0);
    expect(bus.failure).toBe('absent');
    bus.pull({ attention: false, clock: false });
    bus.wait(1000);
    expect([bus.clockIsHigh, bus.dataIsHigh]).toEqual([true, true]);
  });

  test('a last byte is confirmed after 200 microseconds and not before', () => {
    const bus = master();
    bus.command(0x28, 0xf2);
    bus.pull({ clock: false });
    expect(bus.until(() => bus.dataIsHigh)).toBeGreaterThanOrEqual(0);
    const wait = bus.until(() => !bus.dataIsHigh);
    expect(wait).toBeGreaterThan(200);
    expect(wait).toBeLessThan(300);
    expect(bus.until(() => bus.dataIsHigh)).toBeGreaterThanOrEqual(60);
  });

  test('a talker without anything to say lets the listener time out', () => {
    const bus = master();
    expect(bus.talk(8, 0x62)).toBe('');
    expect(bus.failure).toBe('timeout');
    expect(status(bus)).toBe('00, OK,00,00\r');
  });

  test('a byte that the listener did not take comes again', () => {
    const bus = master((disk) => disk.write('LETTERS', bytes('ABCDE')));
    bus.open(8, 2, 'LETTERS,P,R');
    expect([bus.talk(8, 0x62, 1), bus.talk(8, 0x62, 2), bus.talk(8, 0x62)]).toEqual(['A', 'BC', 'DE']);
    expect(bus.talk(8, 0x62)).toBe('');
  });

  test('two drives share it', () => {
    const bus = master((disk) => disk.write('HERE', bytes('EIGHT')));
    const other = CommodoreDisk.create('d81', 'OTHER', '81');
    other.write('HERE', bytes('NINE'));
    bus.drives.attach(9, other.image.bytes, { readOnly: false });
    expect(load(bus, 'HERE')).toBe('EIGHT');
    bus.open(9, 0, 'HERE');
    expect(bus.talk(9, 0x60)).toBe('NINE');
    bus.drives.disconnect(9);
    bus.open(9, 0, 'HERE');
    expect(bus.failure).toBe('absent');
    expect(load(bus, 'HERE')).toBe('EIGHT');
  });

  test('a reset sets everything back and keeps the disk', () => {
    const bus = master((disk) => disk.write('HERE', bytes('X')));
    bus.open(8, 2, 'HERE,P,R');
    expect(bus.drives.ledOf(8)).toBe('on');
    bus.drives.reset();
    expect(bus.drives.ledOf(8)).toBe('off');
    expect(status(bus)).toMatch(/^73,.*,00,00\r$/);
    expect(load(bus, 'HERE')).toBe('X');
  });
});

describe('files', () => {
  test('are found by name and with wildcards', () => {
    const bus = master((disk) => {
      disk.write('NOTES', bytes('SEQUENTIAL'), 'SEQ');
      disk.write('GAME', bytes(long));
      disk.write('GATE', bytes('GATE'));
    });
    expect(load(bus, 'GAME')).toBe(long);
    expect(load(bus, '0:GAT*')).toBe('GATE');
    expect(load(bus, ':G??E')).toBe(long);
    expect(load(bus, '*')).toBe(long);
    expect(load(bus, 'NOTES')).toBe('');
    expect(status(bus)).toBe('64, FILE TYPE MISMATCH,00,00\r');
    expect(load(bus, 'NONE')).toBe('');
    expect(bus.drives.ledOf(8)).toBe('blinking');
    expect(status(bus)).toBe('62, FILE NOT FOUND,00,00\r');
    expect(status(bus)).toBe('00, OK,00,00\r');
  });

  test('the directory comes as a program, with patterns', () => {
    const bus = master((disk) => {
      disk.write('ALPHA', bytes('1'));
      disk.write('BETA', bytes('2'), 'SEQ');
    });
    const whole = load(bus, '$');
    expect(whole.slice(0, 2)).toBe('\x01\x04');
    expect(whole).toMatch(/"WORK {12}" FP 2A.*"ALPHA" {12}PRG.*"BETA" {13}SEQ.*BLOCKS FREE\. {13}\0\0\0$/s);
    expect(load(bus, '$0:B*')).not.toContain('ALPHA');
    expect(load(bus, '$:*=P')).not.toContain('BETA');
    bus.open(8, 2, '$');
    expect(bus.talk(8, 0x62).slice(0x8e, 0x92)).toBe('WORK');
  });

  test('written files are on the disk once they are closed', () => {
    const bus = master();
    bus.open(8, 1, 'LONG');
    bus.listen(8, 0x61, long);
    expect(diskOf(bus).find('LONG')).toMatchObject({ closed: false });
    bus.close(8, 1);
    expect(diskOf(bus).find('LONG')).toMatchObject({ closed: true, type: 'PRG', blocks: 3 });
    expect(text(diskOf(bus).read('LONG'))).toBe(long);
    expect(diskOf(bus).freeBlocks).toBe(664 - 3);
    expect(load(bus, 'LONG')).toBe(long);
  });

  test('a file is replaced only on request, and its blocks come back', () => {
    const bus = master((disk) => disk.write('NAME', bytes(long)));
    bus.open(8, 1, 'NAME');
    bus.listen(8, 0x61, 'LOST');
    expect(bus.failure).toBe('absent');
    expect(status(bus)).toBe('63, FILE EXISTS,00,00\r');
    bus.open(8, 1, '@0:NAME');
    bus.listen(8, 0x61, 'NEW');
    expect(load(bus, 'NAME')).toBe(long);
    bus.close(8, 1);
    expect(load(bus, 'NAME')).toBe('NEW');
    expect(diskOf(bus).freeBlocks).toBe(663);
  });

  test('sequential files are written, read and appended to', () => {
    const bus = master();
    bus.open(8, 2, 'LIST,S,W');
    bus.listen(8, 0x62, `${'-'.repeat(253)}A`);
    bus.close(8, 2);
    bus.open(8, 2, 'LIST,S,A');
    bus.listen(8, 0x62, 'BC');
    bus.close(8, 2);
    bus.open(8, 3, 'LIST,S,R');
    expect(bus.talk(8, 0x63)).toBe(`${'-'.repeat(253)}ABC`);
    expect(diskOf(bus).find('LIST')).toMatchObject({ type: 'SEQ', closed: true, blocks: 2 });
    bus.open(8, 4, 'EMPTY,U,W');
    bus.close(8, 4);
    expect(text(diskOf(bus).read('EMPTY'))).toBe('\r');
  });

  test('several are open at once, up to the five buffers', () => {
    const bus = master((disk) => disk.write('IN', bytes('123456')));
    bus.open(8, 2, 'IN,P,R');
    bus.open(8, 3, 'OUT,S,W');
    bus.open(8, 4, 'IN,P,R');
    expect(bus.talk(8, 0x62, 2)).toBe('12');
    bus.listen(8, 0x63, 'ab');
    expect(bus.talk(8, 0x64, 3)).toBe('123');
    expect(bus.talk(8, 0x62)).toBe('3456');
    bus.listen(8, 0x63, 'cd');
    bus.open(8, 5, '#');
    bus.open(8, 6, '#');
    expect(status(bus)).toBe('00, OK,00,00\r');
    bus.open(8, 7, '#');
    expect(status(bus)).toBe('70, NO CHANNEL,00,00\r');
    bus.close(8, 15);
    expect(text(diskOf(bus).read('OUT'))).toBe('abcd');
  });

  test('a full disk closes the file with what fits', () => {
    const bus = master((disk) => disk.write('BIG', new Uint8Array(254 * 662)));
    bus.open(8, 2, 'MORE,S,W');
    bus.listen(8, 0x62, long);
    expect(status(bus)).toBe('72, DISK FULL,00,00\r');
    expect(diskOf(bus).find('MORE')).toMatchObject({ closed: true, blocks: 2 });
    expect(text(diskOf(bus).read('MORE'))).toBe(long.slice(0, 508));
  });

  test('a protected disk stays as it is, and an absent one is not ready', () => {
    const bus = master((disk) => disk.write('NAME', bytes('X')), true);
    const before = bus.drives.image(8) ?? new Uint8Array();
    bus.open(8, 1, 'OTHER');
    expect(status(bus)).toBe('26, WRITE PROTECT ON,00,00\r');
    expect(command(bus, 'S:NAME')).toBe('26, WRITE PROTECT ON,00,00\r');
    expect(isSame(bus.drives.image(8), before)).toBe(true);
    bus.drives.detach(8);
    expect(load(bus, '$')).toBe('');
    expect(status(bus)).toBe('74, DRIVE NOT READY,00,00\r');
    expect(bus.drives.image(8)).toBeUndefined();
  });

  test('what was attached is never touched', () => {
    const bus = new BusMaster();
    const { bytes: original } = CommodoreDisk.create('d64', 'MINE').image;
    const copy = original.slice();
    bus.drives.attach(8, original);
    bus.open(8, 1, 'NEW');
    bus.listen(8, 0x61, 'X');
    bus.close(8, 1);
    expect(isSame(original, copy)).toBe(true);
    expect(isSame(bus.drives.image(8), copy)).toBe(false);
    expect(() => bus.drives.attach(8, new Uint8Array(10))).toThrow(RangeError);
    expect(load(bus, 'NEW')).toBe('X');
  });

  test('bad blocks of the image are read errors', () => {
    const disk = CommodoreDisk.create('d64', 'BAD');
    const entry = disk.write('FILE', bytes(long));
    const withErrors = new Uint8Array(683 * 257).fill(1, 683 * 256);
    withErrors.set(disk.image.bytes);
    withErrors[683 * 256 + (entry.track - 1) * 21 + 10] = 5;
    const bus = new BusMaster();
    bus.drives.attach(8, withErrors);
    expect(load(bus, 'FILE')).toBe(long.slice(0, 254));
    expect(status(bus)).toBe(`23, READ ERROR,${entry.track},10\r`);
  });
});

describe('commands', () => {
  const prepared = () =>
    master((disk) => {
      disk.write('ONE', bytes('1'));
      disk.write('TWO', bytes('22'));
      disk.write('THREE', bytes('333'), 'SEQ');
    });
  const names = (bus: BusMaster) =>
    diskOf(bus)
      .directory()
      .map(({ name }) => name);

  test('scratch, rename, copy', () => {
    const bus = prepared();
    expect(command(bus, 'S0:T*\r')).toBe('01, FILES SCRATCHED,02,00\r');
    expect(names(bus)).toEqual(['ONE']);
    expect(command(bus, 'R:UNO=ONE')).toBe('00, OK,00,00\r');
    expect(command(bus, 'C0:BOTH=0:UNO,0:UNO')).toBe('00, OK,00,00\r');
    expect(names(bus)).toEqual(['UNO', 'BOTH']);
    expect(load(bus, 'BOTH')).toBe('11');
    expect(command(bus, 'R:UNO=BOTH')).toBe('63, FILE EXISTS,00,00\r');
    expect(command(bus, 'R:X=NONE')).toBe('62, FILE NOT FOUND,00,00\r');
    expect(command(bus, 'C:A*=UNO')).toBe('33, SYNTAX ERROR,00,00\r');
  });

  test('new with and without an id, validate, initialize', () => {
    const bus = prepared();
    expect(command(bus, 'N0:FRESH')).toBe('00, OK,00,00\r');
    expect(diskOf(bus)).toMatchObject({ name: 'FRESH', id: 'FP', freeBlocks: 664 });
    command(bus, 'N:FRESHER,42');
    expect(diskOf(bus)).toMatchObject({ name: 'FRESHER', id: '42' });
    bus.open(8, 2, 'HALF,S,W');
    bus.drives.reset();
    expect(names(bus)).toEqual(['HALF']);
    expect(command(bus, 'V')).toBe('00, OK,00,00\r');
    expect(diskOf(bus)).toMatchObject({ freeBlocks: 664 });
    expect(names(bus)).toEqual([]);
    expect(command(bus, 'I0')).toBe('00, OK,00,00\r');
  });

  test('UI and UJ restart the drive, others are refused', () => {
    const bus = prepared();
    expect(command(bus, 'UI')).toMatch(/^73,/);
    expect(command(bus, 'UJ')).toMatch(/^73,/);
    expect(command(bus, 'UI-')).toBe('00, OK,00,00\r');
    expect(command(bus, 'XYZ')).toBe('31, SYNTAX ERROR,00,00\r');
    expect(command(bus, 'S'.repeat(65))).toBe('32, SYNTAX ERROR,00,00\r');
    bus.open(8, 15, 'S:ONE');
    expect(status(bus)).toBe('01, FILES SCRATCHED,01,00\r');
  });

  test('single blocks are read, changed, written, allocated and freed', () => {
    const bus = prepared();
    bus.open(8, 2, '#');
    expect(command(bus, 'U1:2,0,18,0')).toBe('00, OK,00,00\r');
    command(bus, 'B-P 2 144');
    expect(bus.talk(8, 0x62, 4)).toBe('WORK');
    command(bus, 'B-P:2,144');
    bus.listen(8, 0x62, 'PLAY');
    expect(command(bus, 'U2:2,0,18,0')).toBe('00, OK,00,00\r');
    expect(diskOf(bus).name).toBe('PLAY');
    expect(command(bus, 'U1:2,0,18,99')).toBe('66, ILLEGAL TRACK OR SECTOR,18,99\r');
    expect(command(bus, 'U1:3,0,18,0')).toBe('70, NO CHANNEL,00,00\r');
    expect(command(bus, 'B-A:0,1,0')).toBe('00, OK,00,00\r');
    expect(command(bus, 'B-A:0,1,0')).toBe('65, NO BLOCK,01,01\r');
    expect(command(bus, 'B-F:0,1,0')).toBe('00, OK,00,00\r');
    expect(diskOf(bus).map.isFree(1, 0)).toBe(true);
    command(bus, 'B-P:2,1');
    bus.listen(8, 0x62, 'SHORT');
    command(bus, 'B-W:2,0,1,0');
    command(bus, 'U1:2,0,18,0');
    command(bus, 'B-R:2,0,1,0');
    expect(bus.talk(8, 0x62)).toBe('SHORT');
  });
});

describe('relative files', () => {
  const position = (bus: BusMaster, record: number, place = 1) =>
    command(bus, `P${String.fromCharCode(96 + 2, record & 255, record >> 8, place)}`);
  const opened = (length = 20) => {
    const bus = master();
    bus.open(8, 2, `RECORDS,L,${String.fromCharCode(length)}`);
    expect(status(bus)).toBe('00, OK,00,00\r');
    return bus;
  };

  test('records are written and read in any order', () => {
    const bus = opened();
    expect(position(bus, 30)).toMatch(/^50, RECORD NOT PRESENT/);
    bus.listen(8, 0x62, 'THIRTY');
    position(bus, 5);
    bus.listen(8, 0x62, 'FIVE');
    bus.listen(8, 0x62, 'SIX');
    expect(status(bus)).toBe('00, OK,00,00\r');
    expect(position(bus, 30)).toBe('00, OK,00,00\r');
    expect(bus.talk(8, 0x62)).toBe('THIRTY');
    position(bus, 5);
    expect([bus.talk(8, 0x62), bus.talk(8, 0x62), bus.talk(8, 0x62)]).toEqual(['FIVE', 'SIX', '\xff']);
    position(bus, 30, 3);
    expect(bus.talk(8, 0x62)).toBe('IRTY');
    bus.close(8, 2);
    const disk = diskOf(bus);
    expect(disk.records('RECORDS').slice(4, 6).map(text)).toEqual(['FIVE'.padEnd(20, '\0'), 'SIX'.padEnd(20, '\0')]);
    expect(disk.validate()).toBe(0);
    expect(isSame(bus.drives.image(8), disk.image.bytes)).toBe(true);
  });

  test('a record that is too long keeps what fits and says so', () => {
    const bus = opened(5);
    bus.listen(8, 0x62, 'ABCDEFGH');
    expect(status(bus)).toMatch(/^51, OVERFLOW IN RECORD/);
    position(bus, 1);
    expect(bus.talk(8, 0x62)).toBe('ABCDE');
    expect(position(bus, 1, 6)).toMatch(/^51,/);
  });

  test('a part of a record can be written anew', () => {
    const bus = opened();
    bus.listen(8, 0x62, 'HELLO WORLD');
    position(bus, 1, 7);
    bus.listen(8, 0x62, 'THERE');
    position(bus, 1);
    expect(bus.talk(8, 0x62)).toBe('HELLO THERE');
  });

  test('it is found again with its length, and with no other', () => {
    const bus = opened(13);
    bus.close(8, 2);
    bus.open(8, 2, 'RECORDS,L,\x0e');
    expect(status(bus)).toMatch(/^50,/);
    bus.open(8, 2, 'RECORDS');
    expect(status(bus)).toBe('00, OK,00,00\r');
    expect(position(bus, 13)).toBe('00, OK,00,00\r');
    bus.open(8, 3, 'NOWHERE,L');
    expect(status(bus)).toMatch(/^62,/);
    expect(load(bus, 'RECORDS')).toBe('');
    expect(status(bus)).toMatch(/^64,/);
  });

  test('large files take more side sectors, all of which scratching frees', () => {
    const bus = opened(254);
    const before = CommodoreDisk.create('d64', 'WORK', 'FP').freeBlocks;
    position(bus, 250);
    bus.listen(8, 0x62, 'FAR AWAY');
    expect(status(bus)).toBe('00, OK,00,00\r');
    const disk = diskOf(bus);
    expect(disk.find('RECORDS')?.blocks).toBe(250 + 3);
    expect(disk.freeBlocks).toBe(before - 253);
    expect(text(disk.records('RECORDS')[249] ?? new Uint8Array()).slice(0, 9)).toBe('FAR AWAY\0');
    expect(disk.validate()).toBe(0);
    expect(disk.freeBlocks).toBe(before - 253);
    expect(position(bus, 1000)).toMatch(/^50,/);
    bus.listen(8, 0x62, 'TOO FAR');
    expect(status(bus)).toMatch(/^52, FILE TOO LARGE/);
    position(bus, 700);
    bus.listen(8, 0x62, 'NO ROOM');
    expect(status(bus)).toMatch(/^72, DISK FULL/);
    bus.close(8, 2);
    expect(command(bus, 'S:RECORDS')).toBe('01, FILES SCRATCHED,01,00\r');
    expect(diskOf(bus).freeBlocks).toBe(before);
  });
});
