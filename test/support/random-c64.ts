import { createHash } from 'node:crypto';
import { assemble } from '../../src/machines/commodore/assembler/assemble.ts';
import { C64Board } from '../../src/machines/commodore/c64/c64-board.ts';
import { applyInput, type InputEvent } from '../../src/machines/commodore/machine/input-event.ts';
import { c64Roms } from '../../src/machines/commodore/roms/c64-roms.generated.ts';

const cyclesPerFrame = 63 * 312;
const bootCycles = 200_000;

/** Mixes everything an input can change into memory, from two interrupts and a loop. */
const source = `* = $c000
        sei
        lda #<irq
        sta $0314
        lda #>irq
        sta $0315
        lda #<nmi
        sta $0318
        lda #>nmi
        sta $0319
        lda #$0b
        sta $d011
        lda #120
        sta $d012
        lda #$09
        sta $d01a
        lda #$81
        sta $d412
        lda #$20
        sta $d40f
        cli
main    inx
        lda table,x
        adc sum
        rol
        sta sum
        sta table,x
        bne main
        inc $5000
        jmp main
irq     lda $d019
        sta $d019
        lsr
        bcc timer
        lda #$00
        sta $dc00
        lda $dc01
        eor sum
        sta sum
        lda #$ff
        sta $dc00
        lda $dc00
        adc $d41b
        eor $d419
        eor $d013
        eor $d014
        sta sum+1
        and #$0f
        sta $d020
        ldy sum
        sta $5100,y
timer   lda $dc0d
        eor $dc04
        sta $5200
        jmp $ea81
nmi     inc $5300
        inc sum
        rti
sum     .word 0
        .align 256
table   .fill 256, 7
`;

/** A C64 whose inputs of each frame follow from a seed and the frame's number alone. */
export class RandomC64 {
  readonly board = new C64Board({ roms: c64Roms });
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
    this.board.runCycles(bootCycles);
    const { origin, bytes } = assemble(source);
    applyInput(this.board, { type: 'poke', bank: 'ram', address: origin, bytes });
    applyInput(this.board, { type: 'register', name: 'PC', value: origin });
  }

  /** One frame's worth of cycles, with its inputs at cycles of their own. */
  runFrame(frame: number): void {
    const random = generator(Math.imul(this.#seed, 0x9e37_79b1) ^ Math.imul(frame + 1, 0x85eb_ca6b));
    let left = cyclesPerFrame;
    for (let count = random(4) === 0 ? random(4) : 0; count > 0; count--) {
      const wait = random(left);
      this.board.runCycles(wait);
      left -= wait;
      applyInput(this.board, randomInput(random));
    }
    this.board.runCycles(left);
  }

  save(): unknown {
    return this.board.snapshot();
  }

  restore(saved: unknown): void {
    this.board.restore(saved as Uint8Array);
  }

  hash(): string {
    return createHash('sha256').update(this.board.snapshot()).digest('hex').slice(0, 16);
  }
}

/** Numbers below a limit, the same for the same seed. */
export function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

function randomInput(random: (below: number) => number): InputEvent {
  const port = random(2) === 0 ? 1 : 2;
  switch (random(7)) {
    case 0:
    case 1:
      return { type: 'key', column: random(8), row: random(8), down: random(2) === 0 };
    case 2:
      return { type: 'joystick', port, bits: random(32) };
    case 3:
      return { type: 'restore', down: random(2) === 0 };
    case 4:
      return { type: 'paddles', port, x: random(256), y: random(256) };
    case 5:
      return { type: 'pen', at: random(3) === 0 ? undefined : { x: random(384), y: random(272) } };
    default:
      return { type: 'poke', bank: 'ram', address: 0x5400 + random(256), bytes: Uint8Array.of(random(256)) };
  }
}
