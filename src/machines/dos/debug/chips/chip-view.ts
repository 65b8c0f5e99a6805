import type { Chip, ChipNumbers, ChipReading } from '../../../../machine/chips.ts';
import { advice, call, MachineError } from '../../../../machine/errors.ts';
import { DosError } from '../../drives/dos-error.ts';
import type { InputEvent } from '../../machine/input-event.ts';

/** What somebody wants a part to become. */
export type Wanted = Readonly<Record<string, number | string>>;

/** One part of a chip: how it reads, and which inputs of the machine make it what somebody wants. */
export interface PartView {
  readonly name: string;
  readonly description: string;
  /** How many there are; one where nothing is said. */
  readonly count?: number;
  readonly writable?: readonly string[];
  /** Of those, the ones that are text. */
  readonly texts?: readonly string[];
  read(index: number): View;
  write?(index: number, wanted: Wanted): readonly InputEvent[];
}

export interface View {
  readonly lines: readonly string[];
  readonly numbers?: ChipNumbers;
}

export interface ChipView {
  readonly name: string;
  readonly description: string;
  readonly parts: readonly PartView[];
}

export function chipOf({ name, description, parts }: ChipView): Chip {
  return {
    name,
    description,
    parts: parts.map((part) => ({
      name: part.name,
      description: part.description,
      count: part.count ?? 1,
      hasPicture: false,
      ...(part.writable && { writable: part.writable }),
      ...(part.texts && { texts: part.texts }),
    })),
    async read(wanted, index): Promise<ChipReading> {
      const part = parts.find((each) => each.name === wanted);
      const { lines, numbers } = part ? viewOf(part, index) : { lines: [] };
      return { lines, values: { lines: lines.length }, ...(numbers && { numbers }) };
    },
  };
}

/** Tables that DOS has not made yet, or that a program has written over, are no fault of the reader. */
function viewOf(part: PartView, index: number): View {
  try {
    return part.read(index);
  } catch (error) {
    if (error instanceof DosError) return { lines: [`cannot be read now: ${error.message}`] };
    throw error;
  }
}

/** A number that somebody wants, within its bounds; undefined where nothing was said of it. */
export function numberIn(wanted: Wanted, name: string, most: number): number | undefined {
  const value = wanted[name];
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most) return value;
  const range = `0-${most}`;
  throw new MachineError('INVALID_ARGUMENT', `${name} cannot be ${value}.`, `Use ${range}.`, { valid_range: range });
}

/** Registers by number: `{"0x20": 1}`. */
export function numberedIn(wanted: Wanted, most: number): readonly (readonly [register: number, value: number])[] {
  return Object.keys(wanted).map((name) => {
    const register = /^(0x[0-9a-f]+|\d+)$/i.test(name) ? Number(name) : Number.NaN;
    if (!(register >= 0 && register <= most)) {
      const range = `0-0x${most.toString(16)}`;
      const message = `There is no register ${JSON.stringify(name.slice(0, 20))}.`;
      throw new MachineError('INVALID_ARGUMENT', message, `Use a number in ${range}.`, { valid_range: range });
    }
    return [register, numberIn(wanted, name, 0xff) ?? 0] as const;
  });
}

export function refuseUnknown(part: PartView, wanted: Wanted): void {
  const { writable = [], texts = [] } = part;
  if (writable.length === 0) {
    throw new MachineError(
      'INVALID_ARGUMENT',
      `${part.name} cannot be written.`,
      advice`${call('chip_read')} without arguments lists what can be.`,
    );
  }
  const takesNumbered = writable.includes('0x0');
  for (const [name, value] of Object.entries(wanted)) {
    const isKnown = writable.includes(name) || (takesNumbered && /^\d/.test(name));
    const fits = typeof value === (texts.includes(name) ? 'string' : 'number');
    if (isKnown && fits) continue;
    const message = isKnown
      ? `${name} takes ${texts.includes(name) ? 'text' : 'a number'}.`
      : `${part.name} has nothing called ${JSON.stringify(name.slice(0, 30))} that can be written.`;
    throw new MachineError('INVALID_ARGUMENT', message, `There are: ${writable.join(', ')}.`);
  }
}

export const onOff = (on: boolean | number) => (on ? 'on' : 'off');
