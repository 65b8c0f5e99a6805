import type { Chip, ChipsCapability, ChipWrites } from '../../../machine/chips.ts';
import type { DosSystem } from '../board/dos-system.ts';
import type { InputEvent } from '../machine/input-event.ts';
import { busChips } from './chips/bus-chips.ts';
import { cdChips } from './chips/cd-chips.ts';
import { type ChipView, chipOf, refuseUnknown } from './chips/chip-view.ts';
import { diskChips } from './chips/disk-chips.ts';
import { dosTables } from './chips/dos-tables.ts';
import { memoryChips } from './chips/memory-chips.ts';
import { soundChips } from './chips/sound-chips.ts';
import { timingChips } from './chips/timing-chips.ts';
import { videoChips } from './chips/video-chips.ts';
import { describeNumeric } from './numeric-registers.ts';

/** DOS's own tables, and what the chips of the PC are set to. */
export class DosChips implements ChipsCapability {
  readonly chips: readonly Chip[];
  readonly #views: readonly ChipView[];
  readonly #input: (event: InputEvent) => void;

  /** `input` is how something is done to the machine, so that its history hears of it. */
  constructor(system: DosSystem, input: (event: InputEvent) => void) {
    this.#input = input;
    this.#views = [
      ...dosTables(system),
      ...videoChips(system),
      ...coprocessor(system),
      ...soundChips(system),
      ...cdChips(system),
      ...diskChips(system),
      ...timingChips(system),
      ...busChips(system),
      ...memoryChips(system),
    ];
    this.chips = this.#views.map(chipOf);
  }

  async write(chip: string, part: string, index: number, values: ChipWrites): Promise<void> {
    const view = this.#views.find(({ name }) => name === chip)?.parts.find(({ name }) => name === part);
    if (!view) return;
    refuseUnknown(view, values);
    for (const event of view.write?.(index, values) ?? []) this.#input(event);
  }
}

function coprocessor({ board: { fpu } }: DosSystem): readonly ChipView[] {
  if (!fpu) return [];
  const read = () => ({ lines: describeNumeric(fpu) });
  return [
    {
      name: 'fpu',
      description: `${fpu.model} coprocessor`,
      parts: [{ name: 'registers', description: 'its stack, control and status', read }],
    },
  ];
}
