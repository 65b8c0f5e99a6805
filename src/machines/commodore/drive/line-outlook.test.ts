import { expect, test } from 'vitest';
import { generator } from '../../../../test/support/random-c64.ts';
import { Mos6510 } from '../../../chips/mos6510/mos6510.ts';
import { opcodes } from '../../../chips/mos6510/opcodes.ts';
import { fields, type Mos6510State, stateWords } from '../../../chips/mos6510/registers.ts';
import { assemble } from '../../../formats/commodore/assembler/assemble.ts';
import { C64Board } from '../c64/c64-board.ts';
import { differences } from '../c64/differences-testing.ts';
import { applyInput } from '../machine/input-event.ts';
import { c64Roms } from '../roms/c64-roms.generated.ts';
import { rom } from './drive-1541-testing.ts';
import { LineOutlook } from './line-outlook.ts';

const vectors = `
irq     pha
        lda #0
        sta $1800
        * = $fffa
        .word start, start, irq`;
/** Seven cycles for the interrupt, three for PHA, two for LDA, three of STA. */
const interrupted = 7 + 3 + 2 + 3;

function outlookAt(source: string, returnTo = 0): number {
  return new LineOutlook(rom(`* = $c000\nstart\n${source}\n${vectors}`)).cyclesFrom(0xc000, returnTo);
}

test.for([
  ['a store to port B', 'sta $1800', 3],
  ['its direction, in a mirror', 'sta $3bf2', 3],
  ['a change of it', 'inc $1800', 3],
  ['what comes before it', 'nop\nlda $1234\nsta $1800', 2 + 4 + 3],
  ['a timer, which drives no line', 'sta $1805\nsta $1800', 4 + 3],
  ['the other VIA and RAM', 'sta $1c00\nstx $0300\nsta $1800', 4 + 4 + 3],
  ['a place that an index finds', 'sta $17f0,x', 3],
  ['a place that memory names', 'lda #0\nsta ($10),y', 2 + 3],
  ['the shorter way, taken', 'beq out\nnop\nnop\nnop\nout sta $1800', 3 + 3],
  ['the shorter way, not taken', 'beq out\nsta $1800\nout nop\nnop\nsta $1800', 2 + 3],
  ['a jump', 'jmp out\nout nop\nsta $1800', 3 + 2 + 3],
  ['a jump to nobody knows where', 'jmp ($0300)', 5 + 3],
  ['a call into RAM', 'jsr $0300', 6 + 3],
  ['a call that writes', 'jsr out\nnop\nout sta $1800', 6 + 3],
  ['a call that returns', 'jsr out\nsta $1800\nout rts', 6 + 6 + 3],
  ['a call that leaves the stack otherwise', 'jsr out\nnop\nnop\nnop\nout pla\nrts', 6 + 4 + 6 + 3],
  ['a return into RAM', 'nop\nrts', 2 + 6 + 3],
  ['the end of an interrupt', 'nop\nrti', 2 + 6 + 3],
  ['an instruction that nobody documented', 'nop\n.byte $02', 2 + 3],
  ['nothing for ever', 'loop jmp loop', interrupted],
] as const)('the lines are left alone until %s', ([, source, cycles]) => {
  expect(outlookAt(source)).toBe(Math.min(cycles, interrupted));
});

test('a return leads to where the stack says', () => {
  const source = 'rts\nnop\nnop\nnop\nsta $1800';
  expect(outlookAt(source, 0xc000)).toBe(Math.min(6 + 3 * 2 + 3, interrupted));
  expect(outlookAt(source, 0xc003)).toBe(6 + 3);
  expect(outlookAt(source, 0x0400)).toBe(6 + 3);
});

test.for([1, 2, 3, 4, 5, 6])('no program writes to the lines earlier, interrupted or not (%i)', (seed) => {
  const random = generator(seed);
  const memory = Uint8Array.from({ length: 0x10000 }, () => random(256));
  const known = opcodes.filter(({ documented }) => documented);
  for (let address = 0xc000; address < 0xfff0; ) {
    const { opcode, length, mode } = known[random(known.length)] as (typeof known)[number];
    memory[address] = opcode;
    // Stores go to port B often, jumps to ROM.
    if (length === 3) memory[address + 2] = 0xc0 + random(64);
    if (mode === 'absolute' && random(3) === 0) memory.set([2 * random(2), 0x18], address + 1);
    address += length;
  }
  const outlook = new LineOutlook(memory.subarray(0xc000));
  const state = new Int32Array(stateWords) as Mos6510State;
  let hasWritten = false;
  const cpu = new Mos6510(state, {
    read: (address) => memory[address] as number,
    write: (address, value) => {
      if (address < 0x8000 && (address & 0x1c0d) === 0x1800) hasWritten = true;
      if (address < 0x8000) memory[address] = value;
    },
  });
  cpu.powerUp();
  let writes = 0;
  let longest = 0;
  for (let round = 0; round < 4000; round++) {
    cpu.jump(0xc000 + random(0x3f00));
    cpu.forget();
    for (const field of [fields.a, fields.x, fields.y, fields.s]) state[field] = random(256);
    state[fields.i] = random(2);
    state[fields.irqLine] = random(2);
    if (random(4) === 0) {
      // As a subroutine of the ROM.
      memory[0x100 | ((state[fields.s] + 1) & 255)] = random(256);
      memory[0x100 | ((state[fields.s] + 2) & 255)] = 0xc0 + random(63);
    }
    const stack = (offset: number) => memory[0x100 | ((state[fields.s] + offset) & 255)] as number;
    const sure = outlook.cyclesFrom(state[fields.pc], stack(1) | (stack(2) << 8));
    hasWritten = false;
    let cycles = 0;
    for (; cycles < 100 && !hasWritten && state[fields.jammed] === 0 && state[fields.pc] >= 0xc000; cycles++) {
      cpu.tick();
      if (random(20) === 0) state[fields.irqLine] ^= 1;
    }
    if (!hasWritten) continue;
    writes += 1;
    longest = Math.max(longest, cycles);
    expect(cycles, `round ${round}`).toBeGreaterThan(sure);
  }
  expect(writes).toBeGreaterThan(50);
  expect(longest).toBeGreaterThan(10);
});

/** Lets go and pulls clock and data at uneven times, also in an interrupt by ATN, and by its timer. */
const unevenDrive = `* = $c000
start   ldx #$ff
        txs
        lda #$1a
        sta $1802
        lda #$40
        sta $180b
        lda #$c2
        sta $180e
        lda #$57
        sta $1804
        lda #$01
        sta $1805
        cli
loop    inc $10
        lda $10
        and #$1f
        tax
        jsr wait
        lda $10
        and #$0a
        sta $1800
        lda $1800
        and #$05
        beq loop
        ldx #3
        jsr wait
        lda #$08
        sta $1800
        jmp loop
wait    dex
        bpl wait
        rts
irq     pha
        lda $1801
        lda $1804
        lda #$02
        eor $10
        and #$1a
        sta $1800
        pla
        rti
        * = $fffa
        .word start, start, irq`;

/** Notes each change of the port's upper bits, and writes to it now and then. */
const askingComputer = `* = $c000
        sei
        ldy #0
again   lda $dd00
        cmp $dd00
        bne again
        cmp last
        beq same
        sta last
        sta $4000,y
        iny
same    inc count
        bne again
        inc $4100,x
        lda count+1
        adc #$1b
        sta count+1
        and #$3b
        sta $dd00
        jmp again
last    .byte 0
count   .byte 0, 0`;

test('a program that asks for the lines all the time sees them as if each cycle were made on its own', () => {
  const boards = [false, true].map((eager) => {
    const board = new C64Board({ roms: c64Roms, driveRoms: { 1541: rom(unevenDrive) }, eager });
    board.drives.connect(8);
    board.runCycles(200_000);
    const { origin, bytes, errors } = assemble(askingComputer);
    expect(errors).toEqual([]);
    applyInput(board, { type: 'poke', bank: 'ram', address: origin, bytes });
    applyInput(board, { type: 'register', name: 'PC', value: origin });
    return board;
  });
  const [lazy, eager] = boards as [C64Board, C64Board];
  const random = generator(7);
  for (let round = 0; round < 60; round++) {
    const cycles = 1 + random(9000);
    for (const board of boards) board.runCycles(cycles);
    for (const board of boards) {
      board.catchUp();
      board.drives.bringUpToDate();
    }
    // The VIC-II draws late.
    expect(
      differences(lazy, eager).filter((name) => !name.startsWith('vic.')),
      `round ${round}`,
    ).toEqual([]);
  }
  const seen = Array.from({ length: 64 }, (_, at) => lazy.peek('ram', 0x4000 + at));
  expect(new Set(seen).size).toBeGreaterThan(2);
});
