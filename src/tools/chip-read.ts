import { z } from 'zod';
import type { ToolAnswer } from '../api/tool-host.ts';
import { encodePng } from '../formats/png.ts';
import type { Chip, ChipPart, ChipPicture, ChipsCapability } from '../machine/chips.ts';
import { MachineError } from '../machine/errors.ts';
import { legibleScale } from './picture/picture-size.ts';
import { defineTool } from './tool.ts';

const maxAsciiWidth = 160;
const mostAtOnce = 16;

export const chipRead = defineTool({
  name: 'chip_read',
  title: 'Look into a chip',
  description:
    'Registers of a chip decoded, or one of its parts: sprites, characters, voices, timers. Without "chip" lists what ' +
    'there is. Example: {"chip":"vic2","part":"sprite","index":0,"as":"ascii"}.',
  toolset: 'chips',
  needs: ['chips'],
  effect: 'read',
  idempotent: true,
  input: z.object({
    chip: z.string().optional(),
    part: z.string().optional().describe('Default: registers'),
    index: z.number().int().min(0).default(0).describe('Which of them, from 0'),
    all: z.boolean().default(false).describe('All of them at once, such as both timers or all sprites'),
    as: z.enum(['text', 'ascii', 'image']).default('text').describe('How to show what has a picture'),
    format: z.enum(['text', 'json']).optional(),
  }),
  async run({ chips: { chips } }, { chip: name, part: partName, index, all, as }): Promise<ToolAnswer> {
    if (name === undefined) return { text: chips.map(summary).join('\n'), data: { chips: chips.map(listed) } };
    const chip = chipNamed({ chips }, name);
    const part = partNamed(chip, partName);
    if (index >= part.count) {
      const range = `0 to ${part.count - 1}`;
      const message = `${chip.name} has no ${part.name} ${index}.`;
      throw new MachineError('INVALID_ARGUMENT', message, `Use an index from ${range}.`, { valid_range: range });
    }
    if (as !== 'text' && !part.hasPicture) {
      const pictured = chip.parts.filter(({ hasPicture }) => hasPicture).map((each) => each.name);
      throw new MachineError(
        'INVALID_ARGUMENT',
        `${part.name} of ${chip.name} has no picture.`,
        pictured.length > 0 ? `Those with one: ${pictured.join(', ')}.` : 'Leave "as" out.',
      );
    }
    if (all) return readAll(chip, part);
    const { lines, values, numbers, registers, picture } = await chip.read(part.name, index);
    const title = `${chip.name} ${part.name}${part.count > 1 ? ` ${index}` : ''}`;
    const data = { chip: chip.name, part: part.name, index, values, numbers, registers };
    if (as === 'image' && picture) {
      const png = await encodePng(picture, legibleScale(picture));
      const image = { mimeType: 'image/png', base64: Buffer.from(png).toString('base64') };
      return { text: [title, ...lines].join('\n'), data, images: [image] };
    }
    const drawing = as === 'ascii' && picture ? asciiRows(picture) : [];
    return { text: [title, ...lines, ...drawing].join('\n'), data: { ...data, ...(drawing[0] && { ascii: drawing }) } };
  },
});

export function chipNamed({ chips }: ChipsCapability, name: string): Chip {
  const found = chips.find((chip) => chip.name === name.toLowerCase());
  if (found) return found;
  const names = chips.map((chip) => chip.name).join(', ');
  throw new MachineError('INVALID_ARGUMENT', `No chip ${JSON.stringify(name.slice(0, 30))}.`, `Chips: ${names}.`);
}

export function partNamed(chip: Chip, name: string | undefined): ChipPart {
  const found = name === undefined ? chip.parts[0] : chip.parts.find((part) => part.name === name.toLowerCase());
  if (found) return found;
  const names = chip.parts.map((part) => part.name).join(', ');
  const message = `${chip.name} has no part ${JSON.stringify((name ?? '').slice(0, 30))}.`;
  throw new MachineError('INVALID_ARGUMENT', message, `Parts: ${names}.`);
}

async function readAll(chip: Chip, part: ChipPart): Promise<ToolAnswer> {
  if (part.count > mostAtOnce) {
    const message = `${chip.name} has ${part.count} of ${part.name}: too many to show at once.`;
    throw new MachineError('INVALID_ARGUMENT', message, 'Give an index instead of "all".');
  }
  const readings = await Promise.all(Array.from({ length: part.count }, (_, index) => chip.read(part.name, index)));
  const text = readings.map(({ lines }, index) => [`${chip.name} ${part.name} ${index}`, ...lines].join('\n'));
  const items = readings.map(({ values, numbers }, index) => ({ index, values, numbers }));
  return { text: text.join('\n'), data: { chip: chip.name, part: part.name, items } };
}

function summary({ name, description, parts }: Chip): string {
  const list = parts.map(
    ({ name: part, count, description: what, writable }) =>
      `  ${part}${count > 1 ? ` 0-${count - 1}` : ''}: ${what}${writable ? ' (can be written)' : ''}`,
  );
  return [`${name}: ${description}`, ...list].join('\n');
}

function listed({ name, description, parts }: Chip) {
  return { name, description, parts };
}

/** A dot for what is transparent, else the colour's number in hexadecimal (# beyond f). */
function asciiRows({ width, height, pixels, transparent }: ChipPicture): readonly string[] {
  if (width > maxAsciiWidth) {
    throw new MachineError('INVALID_ARGUMENT', `${width} columns are too many for text.`, 'Use "as":"image".');
  }
  return Array.from({ length: height }, (_, row) =>
    Array.from(pixels.subarray(row * width, (row + 1) * width), (pixel) =>
      pixel === transparent ? '.' : pixel < 16 ? pixel.toString(16) : '#',
    ).join(''),
  );
}
