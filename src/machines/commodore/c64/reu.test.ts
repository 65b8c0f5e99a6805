import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { assemble } from '../../../formats/commodore/assembler/assemble.ts';
import { bareHost } from '../machine/host-testing.ts';
import { c64Roms } from '../roms/c64-roms.generated.ts';
import { C64Board, type C64BoardOptions } from './c64-board.ts';
import { C64Machine } from './machine/c64-machine.ts';

/** Fills the screen from the REU and copies it back in an endless loop, with sprites, bad lines and the timer's interrupts. */
const streaming = `
* = $c000
        lda #$ff
        sta $d015
        sta $d017
        lda #$40
        ldx #0
place   sta $d000,x
        adc #9
        inx
        cpx #16
        bne place
loop    ldx #8
set     lda values,x
        sta $df02,x
        dex
        bpl set
        lda #$b1
        sta $df01
        inc $0402
        lda #$a0
        sta $df01
        inc $ff00
        inc $fb
        bne loop
        lda #$92
        sta $df01
        inc values+3
        jmp loop
values  .byte 0, 4, 0, 0, 1, $e8, 3, 0, 0
`;

function boardWith(source: string, options: Partial<C64BoardOptions> = {}): C64Board {
  const board = new C64Board({ roms: c64Roms, reu: 512, ...options });
  board.runCycles(2_500_000);
  const { origin, bytes, errors } = assemble(source);
  expect(errors).toEqual([]);
  board.ram.set(bytes, origin);
  board.cpu.jump(origin);
  return board;
}

/** What can be seen, without what the VIC-II remembers of work it has put off. */
const seen = (board: C64Board) => ({
  cycles: board.cycles,
  ram: hash(board.ram),
  reu: board.expansionRam.of('reu')?.name().low,
  cpu: [...board.cpu.state],
});
const hash = (bytes: Uint8Array) => createHash('sha1').update(bytes).digest('hex');

describe('REU', () => {
  test('the lazy machine and the eager one do the same', () => {
    const [lazy, eager] = [boardWith(streaming), boardWith(streaming, { eager: true })];
    for (let frame = 0; frame < 4; frame += 1) {
      for (const board of [lazy, eager]) {
        board.runCycles(19_656 + frame * 7);
        board.catchUp();
      }
      expect(seen(lazy)).toEqual(seen(eager));
      expect(hash(lazy.visibleFrame().pixels)).toBe(hash(eager.visibleFrame().pixels));
    }
  });

  test('a transfer takes the processor off the bus for as many cycles as it has bytes', () => {
    const board = boardWith(
      '* = $c000\n sei\nwait lda $d012\n cmp #$ff\n bne wait\n lda #0\n sta $df08\n lda #100\n sta $df07\n lda #$90\n sta $df01\n nop\n',
    );
    while (board.cpu.state[4] !== 0xc014) board.stepInstruction();
    const start = board.cycles;
    board.stepInstruction();
    expect(board.cycles - start).toBe(4);
    board.stepInstruction();
    expect(board.cycles - start).toBe(4 + 100 + 2);
  });

  test('the second write of INC $FF00 gets nowhere', () => {
    const board = boardWith(
      '* = $c000\n sei\n lda #$34\n sta 1\n lda #$41\n sta $ff00\n lda #$35\n sta 1\n lda #1\n sta $df07\n lda #0\n sta $df08\n lda #$80\n sta $df01\n inc $ff00\n jmp *\n',
    );
    board.runCycles(3000);
    expect(board.ram[0xff00]).toBe(0x41);
  });

  test('processor port: DMA reaches the RAM below it', () => {
    const board = boardWith(
      '* = $c000\n sei\n lda #2\n sta $df07\n lda #0\n sta $df08\n lda #$b1\n sta $df01\n jmp *\n',
    );
    board.expansionRam.of('reu')?.set(0, Uint8Array.of(0x12, 0x34));
    board.runCycles(3000);
    expect([board.ram[0], board.ram[1], board.peek('cpu', 0) & 0x3f]).toEqual([0x12, 0x34, 0x2f]);
  });

  test('copies of the state have their own contents, and other machines take them over', () => {
    const board = boardWith(streaming);
    const before = board.snapshot();
    const was = seen(board);
    board.runCycles(300_000);
    expect(seen(board).reu).not.toEqual(was.reu);
    board.restore(before);
    expect(seen(board)).toEqual(was);
    const other = new C64Board({ roms: c64Roms, reu: 512 });
    for (const image of board.imagesIn(before)) other.expansionRam.remember(image);
    other.restore(before.slice());
    for (const each of [board, other]) each.runCycles(100_000);
    expect(seen(other).reu).toEqual(seen(board).reu);
    expect(seen(other).ram).toEqual(seen(board).ram);
  });

  test('power off loses it, reset does not', () => {
    const board = boardWith(streaming);
    board.expansionRam.of('reu')?.write(5, 0x99);
    board.reset();
    expect(board.expansionRam.of('reu')?.bytes[5]).toBe(0x99);
    board.powerUp();
    expect([...(board.expansionRam.of('reu')?.bytes.subarray(0, 8) ?? [])]).toEqual([255, 0, 0, 255, 255, 0, 0, 255]);
  });
});

describe('GeoRAM', () => {
  test('a page in the window, chosen by the registers and their mirrors', () => {
    const board = new C64Board({ roms: c64Roms, geoRam: 512 });
    board.write(0xdffe, 5);
    board.write(0xdfff, 3);
    board.write(0xde07, 0x42);
    expect(board.expansionRam.of('georam')?.bytes[(3 << 14) | (5 << 8) | 7]).toBe(0x42);
    board.write(0xdf80, 6);
    expect(board.read(0xde07)).toBe(0);
    board.write(0xdf81, 32 + 3);
    board.write(0xdf82, 5);
    expect(board.read(0xde07)).toBe(0x42);
  });
});

test('an agent loads, reads and saves what is in an REU, and steps back over a transfer', async () => {
  const host = bareHost();
  const machine = new C64Machine(boardWith(streaming), host, []);
  const { media, memory, control } = machine;
  const file = Uint8Array.from({ length: 2000 }, (_, at) => at & 255);
  expect(await media?.attach('reu', { name: 'scene.reu', bytes: file, readOnly: false })).toContain('2000 bytes');
  expect(media?.slotFor?.({ name: 'x.reu', size: 2000, bytes: file })).toBe('reu');
  expect(await memory?.peek('reu', 0x100n, 3)).toEqual(Uint8Array.of(0, 1, 2));
  await memory?.poke('reu', 0x100n, Uint8Array.of(9));
  expect((await media?.bytes('reu'))?.subarray(0xff, 0x102)).toEqual(Uint8Array.of(0xff, 9, 1));
  expect(media?.slots.find(({ name }) => name === 'reu')).toMatchObject({ medium: 'scene.reu', changed: true });
  await expect(
    media?.attach('reu', { name: 'big.reu', bytes: new Uint8Array(0x80001), readOnly: false }),
  ).rejects.toThrow('more than the 524288');

  const never = new AbortController().signal;
  await control.step({ kind: 'into', count: 120, back: false, wallMs: 20_000 }, never);
  const before = machine.control.board.snapshot();
  await control.step({ kind: 'into', count: 60, back: false, wallMs: 20_000 }, never);
  await control.step({ kind: 'into', count: 60, back: true, wallMs: 20_000 }, never);
  expect(Buffer.compare(machine.control.board.snapshot(), before)).toBe(0);
});
