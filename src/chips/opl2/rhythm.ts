import { fields, type OperatorState, type Opl2State, operatorFields } from './fields.ts';
import { output } from './operator.ts';

const PHASE = operatorFields.phase;

/** Operators of channels 7 and 8 as drums. */
const HI_HAT = 13;
const SNARE = 16;
const TOM = 14;
const CYMBAL = 17;

/** A step of the 23-bit shift register. */
export function nextNoise(s: Opl2State): void {
  const noise = s[fields.noise];
  s[fields.noise] = (noise >> 1) | (((noise ^ (noise >> 14)) & 1) << 22);
}

/** Hi-hat, snare, tom-tom and cymbal: noise and bits of two phases choose the place in the wave. */
export function drums(s: Opl2State, operators: readonly OperatorState[], clock: number): number {
  const at = (operator: number) => operators[operator] as OperatorState;
  const hat = at(HI_HAT)[PHASE] >> 9;
  const cymbal = at(CYMBAL)[PHASE] >> 9;
  const bit = (value: number, index: number) => (value >> index) & 1;
  const mixed = (bit(hat, 2) ^ bit(hat, 7)) | (bit(hat, 3) ^ bit(cymbal, 5)) | (bit(cymbal, 3) ^ bit(cymbal, 5));
  const noise = s[fields.noise] & 1;
  const play = (operator: number, place: number) => output(s, at(operator), place, clock);
  return (
    play(HI_HAT, (mixed << 9) | ((mixed ^ noise) !== 0 ? 0xd0 : 0x34)) +
    play(SNARE, (bit(hat, 8) << 9) | ((bit(hat, 8) ^ noise) << 8)) +
    play(TOM, at(TOM)[PHASE] >> 9) +
    play(CYMBAL, (mixed << 9) | 0x80)
  );
}
