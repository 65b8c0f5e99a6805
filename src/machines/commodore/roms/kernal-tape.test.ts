import { describe, expect, test } from 'vitest';
import { assemble } from '../../../formats/commodore/assembler/assemble.ts';
import { tokenise } from '../../../formats/commodore/basic/tokenise.ts';
import {
  blockOf,
  copiesOn,
  pulsesOf,
  type TapeFile,
  tapFile,
} from '../../../formats/commodore/media/cbm-tape-testing.ts';
import { applyInput } from '../machine/input-event.ts';
import { RomBench } from './rom-bench-testing.ts';

const program = (text: string) => tokenise(text, { letters: 'upper' }).bytes.subarray(2);
const hello = { name: 'HELLO', address: 0x1001, body: program('10 PRINT "FROM TAPE"\n'), leader: 300 };
const tapeOf = (...files: TapeFile[]) => tapFile(files.flatMap(pulsesOf));
const cells = (bench: RomBench, address: number, length: number) =>
  Array.from(bench.board.ram.subarray(address, address + length));
const port = (bench: RomBench) => bench.board.peek('cpu', 1);
const isMotorOn = (bench: RomBench) => (port(bench) & 0x20) === 0;

const press = (bench: RomBench, key: 'play' | 'record' | 'stop' | 'rewind') =>
  applyInput(bench.board, { type: 'tapeKey', key });

function withTape(image: Uint8Array): RomBench {
  const bench = RomBench.ready();
  applyInput(bench.board, { type: 'tape', image });
  return bench;
}

/** Types a command that wants a key of the datasette, presses it and waits for the prompt. C= makes FOUND go on at once. */
function tapeCommand(bench: RomBench, line: string, key: 'play' | 'record' = 'play'): string {
  bench.type(`${line}\n`);
  bench.until(() => /PRESS (PLAY ON TAPE|RECORD AND PLAY)$/.test(bench.text()), 50);
  press(bench, key);
  bench.hold(true, 'cbm');
  bench.frames(3);
  bench.until(() => {
    // The leaders of SAVE take thirteen seconds: let them pass more quickly.
    if (key === 'record' && (bench.board.ram[0x9c] ?? 0) > 2) bench.board.ram[0x9c] = 1;
    return bench.isWaiting;
  }, 3000);
  bench.hold(false, 'cbm');
  return bench.text();
}

describe('LOAD', { timeout: 120_000 }, () => {
  test('asks for PLAY, finds the program, loads and leaves everything as it was', () => {
    const bench = withTape(tapeOf(hello));
    const vectors = cells(bench, 0x314, 2);
    bench.type('load\n');
    bench.until(() => bench.text().endsWith('LOAD\n\nPRESS PLAY ON TAPE'), 50);
    expect(isMotorOn(bench)).toBe(false);
    press(bench, 'play');
    bench.frames(20);
    // While it reads: no picture, the interrupt's vector is the tape's and the old one is kept, the motor is its own.
    expect(bench.board.vic.peek(0x11) & 0x10).toBe(0);
    expect(cells(bench, 0x314, 2)).toEqual([0x2c, 0xf9]);
    expect(cells(bench, 0x29f, 2)).toEqual(vectors);
    expect(isMotorOn(bench)).toBe(true);
    expect(bench.board.ram[0xc0]).not.toBe(0);
    bench.until(() => bench.isWaiting, 1000);
    expect(bench.text()).toMatch(/OK\nSEARCHING\nFOUND HELLO\nLOADING\nREADY\.$/);
    expect(bench.board.vic.peek(0x11) & 0x10).toBe(0x10);
    expect(cells(bench, 0x314, 2)).toEqual(vectors);
    expect(isMotorOn(bench)).toBe(false);
    expect(cells(bench, 0x33c, 10)).toEqual([1, 1, 16, (0x1001 + hello.body.length) & 255, 16, 72, 69, 76, 76, 79]);
    expect(bench.command('run')).toMatch(/RUN\nFROM TAPE\n/);
  });

  test('machine code goes where it belongs, and everything does with ,1,1; images of version 0', () => {
    const body = Uint8Array.of(0xee, 0x20, 0xd0, 0x60);
    const code = { name: 'CODE', address: 0xc000, body, leader: 300, once: true };
    const image = tapeOf({ ...code, kind: 3 });
    image[12] = 0;
    const fixed = withTape(image);
    expect(tapeCommand(fixed, 'load"code"')).toMatch(/SEARCHING FOR CODE\nFOUND CODE\nLOADING\nREADY\.$/);
    expect(cells(fixed, 0xc000, 4)).toEqual([...body]);
    fixed.command('sys 49152');
    expect(fixed.board.vic.peek(0x20) & 15).toBe(15);
    const asked = withTape(tapeOf(code));
    tapeCommand(asked, 'load"",1,1');
    expect(cells(asked, 0xc000, 4)).toEqual([...body]);
  });

  test('passes over other names and data files, up to the end of the tape; at the bottom of the screen, which scrolls', () => {
    const once = { ...hello, once: true };
    const other = { ...once, name: 'OTHER', body: program('10 PRINT "WRONG"\n') };
    const bench = withTape(tapeOf(other, { ...once, kind: 4 }, { ...once, name: 'HELPER' }, { ...once, kind: 5 }));
    bench.call('ldx #24\nldy #0\nclc\njmp $fff0');
    const text = tapeCommand(bench, 'load"hel"');
    expect(text).toMatch(/FOR HEL\nFOUND OTHER\nFOUND HELLO\nFOUND HELPER\nLOADING\nREADY\.$/);
    expect(cells(bench, 0x801, hello.body.length)).toEqual([...hello.body]);
    press(bench, 'stop');
    bench.frames(3);
    expect(tapeCommand(bench, 'load')).toMatch(/SEARCHING\n\?FILE NOT FOUND {2}ERROR\nREADY\.$/);
  });
});

/** Reads a block to $C100 as loaders do, or compares it with memory, and gives the status and what is there. */
function readBlock(image: Uint8Array, length: number, memory?: Uint8Array) {
  const bench = withTape(image);
  press(bench, 'play');
  bench.board.ram.fill(0, 0xc100, 0xc200);
  if (memory) bench.board.ram.set(memory, 0xc100);
  const { a, c } = bench.call(
    `lda #${memory ? 1 : 0}\nsta $93\nlda #0\nsta $90\nsta $c1\nlda #$c1\nsta $c2\nsta $af\nlda #${length}\nsta $ae
     jsr $f84a\nlda $90\nrts`,
    8_000_000,
  );
  return { status: a, stopped: c === 1, bytes: cells(bench, 0xc100, length) };
}

describe('a block', () => {
  const block = Uint8Array.from({ length: 40 }, (_, at) => (at * 37) & 255);
  const whole = { status: 0, stopped: false, bytes: [...block] };
  const read = (damage?: TapeFile['damage']) => readBlock(tapFile(blockOf(block, 300, damage)), block.length);
  /** Turns a bit of these bytes around: medium and short change places. */
  const flip = (pulses: number[], first: number, ...bytes: number[]) => {
    for (const byte of bytes) {
      const at = first + byte * 20 + 6;
      [pulses[at], pulses[at + 1]] = [pulses[at + 1] ?? 0, pulses[at] ?? 0];
    }
    return pulses;
  };

  test('is read at any speed, with an uneven motor, and after pulses that are none of its own', () => {
    let at = 0;
    const uneven = (value: number) => {
      at += 1;
      return value * (1 + 0.05 * Math.sin(at / 40)) + (at % 3) - 1;
    };
    for (const speed of [(value: number) => value * 1.12, (value: number) => value / 1.12, uneven]) {
      const pulses = blockOf(block, 300).map((value) => Math.round(speed(value)));
      expect(readBlock(tapFile([...new Array<number>(300).fill(0x28), ...pulses]), 40)).toEqual(whole);
    }
  });

  test.each([
    ['bits in the first copy', (pulses, copy, first) => (copy === 1 ? flip(pulses, first, 3, 20, 39, 40) : pulses)],
    ['other bits in each copy', (pulses, copy, first) => flip(pulses, first, ...(copy === 1 ? [5, 31] : [4, 32]))],
    ['two bits of a byte', (pulses, copy, first) => (copy === 1 ? flip(flip(pulses, first + 2, 9), first, 9) : pulses)],
    [
      'a pulse too many',
      (pulses, copy, first) =>
        copy === 1 ? [...pulses.slice(0, first + 407), 30, ...pulses.slice(first + 407)] : pulses,
    ],
    [
      'half a second of silence',
      (pulses, copy, first) =>
        copy === 1 ? [...pulses.slice(0, first + 207), 0, 0, 0, 7, ...pulses.slice(first + 607)] : pulses,
    ],
    ['a first copy that breaks off', (pulses, copy, first) => (copy === 1 ? pulses.slice(0, first + 303) : pulses)],
    ['a second copy that is not there', (pulses, copy) => (copy === 2 ? [] : pulses)],
    ['a first copy that is not there', (pulses, copy) => (copy === 1 ? [] : pulses)],
  ] satisfies [string, NonNullable<TapeFile['damage']>][])('with %s: the other copy helps', (_, damage) => {
    expect(read(damage)).toEqual(whole);
  });

  test('with more damage than the log of 30 bytes holds is read from the second copy', () => {
    const all = Array.from(block, (_, at) => at);
    expect(read((pulses, copy, first) => (copy === 1 ? flip(pulses, first, ...all) : pulses))).toEqual(whole);
  });

  test('with the same byte damaged in both copies: status $10', () => {
    expect(read((pulses, _, first) => flip(pulses, first, 7)).status & 0x10).toBe(0x10);
  });

  test('with a wrong checksum: status $20, with too few bytes $04, with too many $08', () => {
    expect(read((pulses, _, first) => flip(flip(pulses, first + 2, 40), first, 40)).status).toBe(0x20);
    expect(read((pulses) => pulses.slice(0, -60)).status & 0x0c).toBe(0x04);
    expect(read((pulses) => [...pulses, ...pulses.slice(-40)]).status & 0x0c).toBe(0x08);
  });

  test('is compared with memory for VERIFY: status $10 if it differs', () => {
    const image = tapFile(blockOf(block, 300));
    expect(readBlock(image, 40, block)).toEqual(whole);
    const other = block.with(20, 0);
    expect(readBlock(image, 40, other)).toEqual({ status: 0x10, stopped: false, bytes: [...other] });
  });
});

describe('keys', () => {
  test('STOP ends the wait for PLAY, and the search', () => {
    const bench = withTape(tapeOf({ ...hello, leader: 3000 }));
    bench.type('load\n');
    bench.frames(10);
    bench.press('stop');
    bench.until(() => bench.isWaiting, 50);
    expect(bench.text()).toMatch(/PRESS PLAY ON TAPE\nBREAK\nREADY\.$/);
    bench.type('load\n');
    bench.frames(10);
    press(bench, 'play');
    bench.frames(20);
    expect(bench.isWaiting).toBe(false);
    bench.press('stop');
    bench.until(() => bench.isWaiting, 50);
    expect(bench.text()).toMatch(/SEARCHING\nBREAK\nREADY\.$/);
    expect(isMotorOn(bench)).toBe(false);
    expect(bench.board.vic.peek(0x11) & 0x10).toBe(0x10);
    expect(bench.command('print 7')).toMatch(/ 7\n/);
  });

  test('the motor runs while a key is down, unless $C0 says that a program has it', () => {
    const bench = withTape(tapeOf(hello));
    press(bench, 'play');
    bench.frames(3);
    expect(isMotorOn(bench)).toBe(true);
    press(bench, 'stop');
    bench.frames(3);
    expect(isMotorOn(bench)).toBe(false);
    press(bench, 'play');
    bench.board.ram[0xc0] = 1;
    bench.frames(3);
    expect(isMotorOn(bench)).toBe(false);
    press(bench, 'stop');
    bench.frames(3);
    expect(bench.board.ram[0xc0]).toBe(0);
  });
});

describe('SAVE', { timeout: 120_000 }, () => {
  test('what it records can be verified and loaded', () => {
    const bench = RomBench.ready();
    bench.command('10 print "kept"');
    const end = cells(bench, 0x2d, 2);
    expect(tapeCommand(bench, 'save"mine"', 'record')).toMatch(/PLAY\nOK\nSAVING MINE\nREADY\.$/);
    press(bench, 'rewind');
    bench.frames(3);
    expect(tapeCommand(bench, 'verify')).toMatch(/FOUND MINE\nVERIFYING\nOK\n\nREADY\.$/);
    press(bench, 'rewind');
    bench.command('new');
    tapeCommand(bench, 'load"mine"');
    expect(cells(bench, 0x2d, 2)).toEqual(end);
    expect(bench.command('list')).toMatch(/10 PRINT "KEPT"/);
  });

  test('bit 0 of the secondary address makes it stay where it is, bit 1 ends the tape', () => {
    const bench = RomBench.ready();
    bench.board.ram.set([1, 2, 0xff], 0xc100);
    const source = `*= $c000\nlda #2\nldx #<name\nldy #>name\njsr $ffbd\nlda #1\nldx #1\nldy #3\njsr $ffba
        lda #0\nsta $fb\nlda #$c1\nsta $fc\nlda #$fb\nldx #3\nldy #$c1\njmp $ffd8\nname .byte $58,$59\n`;
    bench.board.ram.set(assemble(source).bytes, 0xc000);
    tapeCommand(bench, 'sys 49152', 'record');
    const counts = [0x89, 0x88, 0x87, 0x86, 0x85, 0x84, 0x83, 0x82, 0x81];
    const second = counts.map((count) => count & 0x7f);
    const spaces = new Array<number>(185).fill(0x20);
    const sum = (bytes: number[]) => [...bytes, bytes.reduce((all, byte) => all ^ byte, 0)];
    const header = sum([3, 0x00, 0xc1, 0x03, 0xc1, 0x58, 0x59, ...spaces]);
    const data = sum([1, 2, 0xff]);
    const end = sum([5, 0x00, 0xc1, 0x03, 0xc1, 0x58, 0x59, ...spaces]);
    const expected = [header, data, end].flatMap((block) => [
      [...counts, ...block],
      [...second, ...block],
    ]);
    expect(copiesOn(bench.board.tape.bytes() ?? new Uint8Array())).toEqual(expected);
  });

  test('STOP ends it', () => {
    const bench = RomBench.ready();
    bench.type('save\n');
    bench.frames(10);
    press(bench, 'record');
    bench.frames(20);
    bench.press('stop');
    bench.until(() => bench.isWaiting, 50);
    expect(bench.text()).toMatch(/SAVING\s+BREAK\nREADY\.$/);
    expect(isMotorOn(bench)).toBe(false);
  });
});

describe('loaders of their own', () => {
  /** Starts from BASIC's vector at $0302, lies in the header after the name and reads bits as pulses of two lengths. */
  const turbo = `*= $0351
        sei
        lda #$7f
        sta $dc0d
        lda $dc0d
        lda #$0b
        sta $d011
        lda #<264
        sta $dc04
        lda #>264
        sta $dc05
        lda $01
        and #$1f
        sta $01
        sta $c0
pilot   jsr get
        bcc pilot
        ldy #0
byte    lda #1
        sta $02
next    jsr get
        rol $02
        bcc next
        lda $02
        sta $c000,y
        iny
        cpy #6
        bne byte
        lda $01
        ora #$20
        sta $01
        jmp $c000
get     lda $dc0d
        and #$10
        beq get
        lda $dc0e
        eor #1
        lsr
        lda #$19
        sta $dc0e
        rts`;

  test('the KERNAL loads their boot file, which reads the pulses after it', () => {
    const { bytes: behindName, errors } = assemble(turbo);
    expect(errors).toEqual([]);
    const boot = {
      name: 'TURBO',
      address: 0x302,
      body: Uint8Array.of(0x51, 0x03),
      kind: 3,
      leader: 300,
      once: true,
    } as const;
    const payload = [0xa9, 0x2a, 0x85, 0xfb, 0xd0, 0xfe];
    const bits = payload.flatMap((byte) => [7, 6, 5, 4, 3, 2, 1, 0].map((bit) => (byte >> bit) & 1));
    const fast = [...new Array<number>(400).fill(0), 1, ...bits].map((bit) => (bit === 1 ? 0x28 : 0x1a));
    const bench = withTape(tapFile([...pulsesOf({ ...boot, behindName }), ...fast, 0x1a, 0x1a]));
    bench.type('load\n');
    bench.frames(10);
    press(bench, 'play');
    bench.until(() => bench.board.ram[0xfb] === 0x2a, 1000);
    expect(cells(bench, 0xc000, 6)).toEqual(payload);
  });

  test('the routines that they call in the KERNAL: $F841 reads a block to the buffer, $F84A one to $C1/$C2-$AE/$AF', () => {
    const block = Uint8Array.from({ length: 192 }, (_, at) => at ^ 0x55);
    const bench = withTape(tapFile([...blockOf(block, 300), ...blockOf(block.subarray(0, 10), 300)]));
    press(bench, 'play');
    const left = bench.call(
      `jsr $f82e\nbne *\njsr $f7d0\nbcc *\nlda #0\nsta $90\nsta $93\njsr $f841
       lda #0\nsta $c1\nlda #$c1\nsta $c2\nsta $af\nlda #10\nsta $ae\njsr $f84a\nlda $90\nrts`,
      8_000_000,
    );
    expect(left).toMatchObject({ a: 0 });
    expect(cells(bench, 0x33c, 192)).toEqual([...block]);
    expect(cells(bench, 0xc100, 10)).toEqual([...block.subarray(0, 10)]);
  });
});
