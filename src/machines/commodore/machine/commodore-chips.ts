import type { Chip, ChipsCapability, ChipWrites } from '../../../machine/chips.ts';
import { advice, call, MachineError } from '../../../machine/errors.ts';
import { pokesFor } from '../chips/chip-fields.ts';
import { DecodedChip } from '../chips/decoded-chip.ts';
import { driveChip } from '../chips/drive-chip.ts';
import type { CommodoreEngine } from './commodore-engine.ts';

const readOnlyFix = advice`${call('chip_read')} without arguments lists what can be written.`;

/** The board's chips, and those of drives that are switched on and have a processor. */
export class CommodoreChips implements ChipsCapability {
  readonly #engine: CommodoreEngine;
  readonly #own: () => readonly Chip[];

  constructor(engine: CommodoreEngine, own: () => readonly Chip[]) {
    this.#engine = engine;
    this.#own = own;
  }

  get chips(): readonly Chip[] {
    const { board } = this.#engine;
    const drives = board.drives.real.map((drive) => driveChip(drive, () => board.catchUp()));
    return [...this.#own(), ...drives];
  }

  async write(chip: string, part: string, index: number, values: ChipWrites): Promise<void> {
    const found = this.#own().find(({ name }) => name === chip);
    const fields = found instanceof DecodedChip ? found.fields(part, index) : undefined;
    if (!fields) throw new MachineError('INVALID_ARGUMENT', `${part} of ${chip} cannot be written.`, readOnlyFix);
    for (const { bank, address, value } of pokesFor(`${part} of ${chip}`, fields, values)) {
      this.#engine.input({ type: 'poke', bank, address, bytes: Uint8Array.of(value) });
    }
  }
}
