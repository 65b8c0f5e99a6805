import { fields, type Mos6510State } from '../../../chips/mos6510/registers.ts';

/** What left a byte on the stack. The bytes of one call or interrupt share one origin. */
export interface StackOrigin {
  readonly kind: 'call' | 'interrupt' | 'data';
  /** Address of the instruction that pushed it, or of the one that was interrupted. */
  readonly from: number;
}

const opcode = { brk: 0x00, php: 0x08, jsr: 0x20, pha: 0x48 } as const;

/** Watches a processor, instruction by instruction, and knows what has pushed each byte of the stack since. */
export class StackOrigins {
  /** By the low half of the address. */
  readonly origins: (StackOrigin | undefined)[] = new Array(256).fill(undefined);
  readonly #state: Mos6510State;
  readonly #peek: (address: number) => number;
  #pc = 0;
  #s = 0;
  #opcode = -1;
  #interrupts = 0;

  constructor(state: Mos6510State, peek: (address: number) => number) {
    this.#state = state;
    this.#peek = peek;
  }

  /** To be called before each instruction, and once after the last. */
  look(): void {
    this.#note();
    this.#pc = this.#state[fields.pc];
    this.#s = this.#state[fields.s];
    this.#opcode = this.#peek(this.#pc);
    this.#interrupts = this.#taken;
  }

  get #taken(): number {
    return this.#state[fields.irqCount] + this.#state[fields.nmiCount];
  }

  #note(): void {
    if (this.#opcode < 0) return;
    if (this.#taken !== this.#interrupts || this.#opcode === opcode.brk) this.#pushed('interrupt', 3);
    else if (this.#opcode === opcode.jsr) this.#pushed('call', 2);
    else if (this.#opcode === opcode.pha || this.#opcode === opcode.php) this.#pushed('data', 1);
  }

  #pushed(kind: StackOrigin['kind'], bytes: number): void {
    const origin = { kind, from: this.#pc };
    for (let offset = 0; offset < bytes; offset++) this.origins[(this.#s - offset) & 255] = origin;
  }
}
