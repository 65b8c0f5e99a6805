import type { ChipRegister } from '../board/commodore-board.ts';
import type { BoardProbe } from './board-probe.ts';

/** Registers as numbers, `chip << 8 | register`, with chips counted as the probe has them. */
export class ChipPlaces {
  readonly #chips: Map<string, { readonly index: number; readonly count: number }>;

  constructor({ chips }: BoardProbe) {
    // A chip whose registers have no names has any.
    this.#chips = new Map(
      chips.map(({ name, registers }, index) => [name, { index, count: registers.length || 256 }] as const),
    );
  }

  /** -1 where there is no such register, or nobody traces it. */
  of({ chip, register }: ChipRegister): number {
    const found = this.#chips.get(chip);
    return found && register < found.count ? (found.index << 8) | register : -1;
  }
}
