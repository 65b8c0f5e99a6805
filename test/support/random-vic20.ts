import { createHash } from 'node:crypto';
import { assemble } from '../../src/machines/commodore/assembler/assemble.ts';
import { vic20Roms } from '../../src/machines/commodore/roms/vic20-roms.generated.ts';
import { Vic20Board, type Vic20Options } from '../../src/machines/commodore/vic20/vic20-board.ts';
import { generator } from './random-c64.ts';

const cyclesPerFrame = 71 * 312;
const bootCycles = 400_000;

/** Mixes everything an input can change into memory, from two interrupts and a loop; draws, sounds, and reads where nobody is. */
const source = `* = $1100
        sei
        lda #<irq
        sta $0314
        lda #>irq
        sta $0315
        lda #<nmi
        sta $0318
        lda #>nmi
        sta $0319
        lda #$0f
        sta $900e
        cli
main    inx
        lda table,x
        adc sum
        rol
        sta sum
        sta table,x
        sta $1e00,x
        sta $900f
        lda $9600,x
        eor $0500,x
        sta $1000,x
        bne main
        inc $9000
        lda $2345
        sta $1001
        lda $9004
        sta $9002
        jmp main
irq     lda $9124
        lda #$00
        sta $9120
        lda $9121
        eor sum
        sta sum
        lda #$ff
        sta $9120
        lda $9111
        adc $9008
        eor $9009
        eor $9006
        eor $9007
        sta sum+1
        sta $900c
        ldy sum
        sta $9600,y
        jmp $eb15
nmi     lda $9111
        inc $1050
        inc sum
        jmp $ff56
sum     .word 0
        .align 256
table   .fill 256, 7
`;

/** A VIC-20 whose inputs of each frame follow from a seed and the frame's number alone. */
export class RandomVic20 {
  readonly board: Vic20Board;
  readonly #seed: number;

  constructor(seed: number, options: Partial<Vic20Options> = {}) {
    this.#seed = seed;
    this.board = new Vic20Board({ roms: vic20Roms, ...options });
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
    switch (random(7)) {
      case 0:
      case 1:
        board.setKey(random(8), random(8), random(2) === 0);
        break;
      case 2:
        board.setJoystick(1, random(32));
        break;
      case 3:
        board.setRestore(random(2) === 0);
        break;
      case 4:
        board.setPaddles(1, random(256), random(256));
        break;
      case 5:
        board.aimLightPen(random(3) === 0 ? undefined : { x: random(224), y: random(284) });
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
