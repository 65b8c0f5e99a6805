import { createHash } from 'node:crypto';
import { assemble } from '../../src/formats/commodore/assembler/assemble.ts';
import { Plus4Board, type Plus4Options } from '../../src/machines/commodore/plus4/plus4-board.ts';
import { plus4Roms } from '../../src/machines/commodore/roms/plus4-roms.generated.ts';
import { generator } from './random-c64.ts';

const cyclesPerFrame = 114 * 312;
const bootCycles = 700_000;

/** Mixes everything an input can change into memory, from an interrupt and a loop; draws, sounds, counts, and reads where nobody is. */
const source = `* = $1100
        sei
        lda #<irq
        sta $0314
        lda #>irq
        sta $0315
        lda #$18
        sta $ff11
        lda #$40
        sta $ff02
        lda #$03
        sta $ff03
        lda #$12
        sta $ff0a
        cli
main    inx
        lda table,x
        adc sum
        rol
        sta sum
        sta table,x
        sta $0c00,x
        sta $ff19
        lda $fe00,x
        eor $ff00
        sta $1000
        bne main
        inc $ff07
        lda $ff1d
        and #$07
        ora #$18
        sta $ff06
        inc $ff14
        dec $ff14
        lda $01
        sta $1001
        jmp main
irq     lda $ff09
        sta $ff09
        eor sum
        sta sum
        lda #$00
        sta $fd30
        lda #$f9
        sta $ff08
        lda $ff08
        adc $fd10
        sta sum+1
        sta $ff0e
        inc $1050
        lda #$00
        sta $ff02
        lda #$05
        sta $ff03
        jmp $fcbe
sum     .word 0
        .align 256
table   .fill 256, 7
`;

/** A Plus/4 whose inputs of each frame follow from a seed and the frame's number alone. */
export class RandomPlus4 {
  readonly board: Plus4Board;
  readonly #seed: number;

  constructor(seed: number, options: Partial<Plus4Options> = {}) {
    this.#seed = seed;
    this.board = new Plus4Board({ roms: plus4Roms, ...options });
    this.board.runCycles(bootCycles);
    const { origin, bytes } = assemble(source);
    this.board.ram.set(bytes, origin);
    this.board.cpu.jump(origin);
  }

  /** One frame's worth of cycles, with its inputs at cycles of their own. */
  runFrame(frame: number): void {
    const random = generator(Math.imul(this.#seed, 0x9e37_79b1) ^ Math.imul(frame + 1, 0x85eb_ca6b));
    let left = cyclesPerFrame;
    for (let count = random(4) === 0 ? random(4) : 0; count > 0; count--) {
      const wait = random(left);
      this.board.runCycles(wait);
      left -= wait;
      this.#input(random);
    }
    this.board.runCycles(left);
  }

  #input(random: (below: number) => number): void {
    const { board } = this;
    switch (random(4)) {
      case 0:
      case 1:
        board.setKey(random(8), random(8), random(2) === 0);
        break;
      case 2:
        board.setJoystick(1 + random(2), random(32));
        break;
      default:
        board.setUserPort(random(256));
    }
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
