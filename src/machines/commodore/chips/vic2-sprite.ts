import type { ChipNumbers } from '../../../machine/chips.ts';
import type { WritableFields } from './chip-fields.ts';
import type { Vic2View } from './vic2-chip.ts';

const base = 0xd000;
/** The bit of each sprite in these registers. */
const flags = { enabled: 0x15, multicolor: 0x1c, expand_x: 0x1d, expand_y: 0x17, priority: 0x1b } as const;

/** Where the pointers of the sprites lie, in what the chip sees. */
export function pointerAddress(view: Vic2View, sprite: number): number {
  return ((view.register(0x18) & 0xf0) << 6) + 0x3f8 + sprite;
}

/** A sprite as an object. `priority`: behind the foreground. */
export function spriteNumbers(view: Vic2View, sprite: number): ChipNumbers {
  const bit = (register: number) => ((view.register(register) >> sprite) & 1) !== 0;
  const pointer = view.fetch(pointerAddress(view, sprite));
  return {
    sprite,
    x: view.register(2 * sprite) | (bit(0x10) ? 256 : 0),
    y: view.register(2 * sprite + 1),
    color: view.register(0x27 + sprite) & 15,
    ...Object.fromEntries(Object.entries(flags).map(([name, register]) => [name, bit(register)])),
    pointer,
    data_address: view.bankStart() + pointer * 64,
    hit_sprite: bit(0x1e),
    hit_background: bit(0x1f),
  };
}

/** The same names, to be written. */
export function spriteFields(view: Vic2View, sprite: number): WritableFields {
  const io = (register: number, value: number) => ({ bank: 'io' as const, address: base + register, value });
  const withBit = (register: number, isSet: boolean) => {
    const others = view.register(register) & ~(1 << sprite);
    return io(register, isSet ? others | (1 << sprite) : others);
  };
  const pointer = () => view.bankStart() + pointerAddress(view, sprite);
  return {
    x: { most: 511, pokes: (value) => [io(2 * sprite, value & 255), withBit(0x10, value > 255)] },
    y: { most: 255, pokes: (value) => [io(2 * sprite + 1, value)] },
    color: { most: 15, pokes: (value) => [io(0x27 + sprite, value)] },
    ...Object.fromEntries(
      Object.entries(flags).map(([name, register]) => [
        name,
        { most: 1, pokes: (value: number) => [withBit(register, value === 1)] },
      ]),
    ),
    pointer: { most: 255, pokes: (value) => [{ bank: 'ram', address: pointer(), value }] },
  };
}
