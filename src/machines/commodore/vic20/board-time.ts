import type { Mos6510 } from '../../../chips/mos6510/mos6510.ts';
import { fields as cpuFields } from '../../../chips/mos6510/registers.ts';
import { fields as vicFields } from '../../../chips/mos6560/fields.ts';
import type { Mos6560 } from '../../../chips/mos6560/mos6560.ts';
import { fields as viaFields } from '../../../chips/via6522/fields.ts';
import type { Via6522 } from '../../../chips/via6522/via6522.ts';
import type { ViaPorts } from './via-ports.ts';
import { boardFields, vic20Layout } from './vic20-state.ts';

/** A word of a part, counted from the start of the buffer: the wiring of every cycle uses one view of everything. */
const word = (part: keyof typeof vic20Layout.offsets, field: number) => (vic20Layout.offsets[part] >> 2) + field;

const IRQ_LINE = word('cpu', cpuFields.irqLine);
const NMI_LINE = word('cpu', cpuFields.nmiLine);
const VIC_CYCLE = word('vic', vicFields.cycle);
const VIC_FREE = word('vic', vicFields.freeUntil);
const VIA1_IRQ = word('via1', viaFields.irq);
const VIA2_IRQ = word('via2', viaFields.irq);
const VIA_SPAN = word('board', boardFields.viaSpan);
const VIA_LEFT = word('board', boardFields.viaLeft);

/** Something that has to be asked when it wants a cycle of its own: a drive, the datasette, the light pen. */
interface TimedPart {
  quietCycles(): number;
  tick(): void;
}

interface Parts {
  readonly cpu: Mos6510;
  readonly vic: Mos6560;
  readonly via1: Via6522;
  readonly via2: Via6522;
  readonly ports: ViaPorts;
  readonly timed: readonly TimedPart[];
}

/**
 * The schematic in time: in each cycle VIC, VIAs and what hangs on them, their lines to the processor (VIA 1 pulls NMI, VIA 2
 * IRQ), the processor. Whatever has nothing to do but count is left alone until somebody asks for it.
 */
export class BoardTime {
  readonly #words: Int32Array;
  readonly #clock: Float64Array;
  readonly #eager: boolean;
  readonly #parts: Parts;
  readonly #cpu: Mos6510;
  readonly #vic: Mos6560;

  /** `clock`: the cycle that it is. `eager`: nothing is ever left alone. */
  constructor(words: Int32Array, clock: Float64Array, eager: boolean, parts: Parts) {
    this.#words = words;
    this.#clock = clock;
    this.#eager = eager;
    this.#parts = parts;
    this.#cpu = parts.cpu;
    this.#vic = parts.vic;
  }

  run(cycles: number): void {
    for (let left = cycles; left > 0; left -= 1) this.cycle();
  }

  cycle(): void {
    const words = this.#words;
    if ((words[VIC_CYCLE] as number) < (words[VIC_FREE] as number)) (words[VIC_CYCLE] as number) += 1;
    else this.#vic.tick();
    const left = words[VIA_LEFT] as number;
    if (left > 0) words[VIA_LEFT] = left - 1;
    else this.#tickVias();
    words[IRQ_LINE] = words[VIA2_IRQ] as number;
    words[NMI_LINE] = words[VIA1_IRQ] as number;
    this.#cpu.tick();
    (this.#clock[0] as number) += 1;
  }

  /** A cycle in which a VIA has something to do besides counting, or something else wants one. */
  #tickVias(): void {
    this.catchUpVias();
    const { via1, via2, ports, timed } = this.#parts;
    const before = ports.handshakeLevels;
    via1.tick();
    via2.tick();
    if (ports.handshakeLevels !== before) ports.changed();
    for (const part of timed) part.tick();
    this.#planVias();
  }

  /** Brings the VIAs up to the present; they are then ticked every cycle until the next plan is made. */
  catchUpVias(): void {
    const words = this.#words;
    const elapsed = (words[VIA_SPAN] as number) - (words[VIA_LEFT] as number);
    words[VIA_SPAN] = 0;
    words[VIA_LEFT] = 0;
    if (elapsed > 0) {
      this.#parts.via1.catchUp(elapsed);
      this.#parts.via2.catchUp(elapsed);
    }
  }

  #planVias(): void {
    const { via1, via2, timed } = this.#parts;
    let span = 0;
    if (!this.#eager) {
      span = Math.min(via1.quietCycles(), via2.quietCycles());
      for (const part of timed) span = Math.min(span, part.quietCycles());
    }
    this.#words[VIA_SPAN] = span;
    this.#words[VIA_LEFT] = span;
  }
}
