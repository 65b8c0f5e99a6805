import { z } from 'zod';
import type { ChipPart, ChipWrites } from '../machine/chips.ts';
import { advice, call, MachineError } from '../machine/errors.ts';
import { chipNamed, partNamed } from './chip-read.ts';
import { defineTool } from './tool.ts';

export const chipWrite = defineTool({
  name: 'chip_write',
  title: 'Change a chip',
  description:
    'Change registers of a chip by name or address, or a part by the names that chip_read gives as "numbers". Nothing ' +
    'else is disturbed. Examples: {"chip":"vic2","part":"sprite","index":0,"values":{"x":300,"enabled":1}}, ' +
    '{"chip":"vic2","values":{"EXTCOL":2}}.',
  toolset: 'chips',
  needs: ['chips'],
  effect: 'change',
  idempotent: true,
  whileStopped: true,
  input: z.object({
    chip: z.string(),
    part: z.string().optional().describe('Default: registers'),
    index: z.number().int().min(0).default(0),
    values: z.record(z.string(), z.number()).default({}).describe('Name to number; 1 is on, 0 off'),
    text: z.string().max(2000).optional().describe('For parts that take text'),
  }),
  async run({ chips }, { chip: name, part: partName, index, values, text }) {
    const chip = chipNamed(chips, name);
    const part = partNamed(chip, partName);
    if (index >= part.count) {
      const range = `0 to ${part.count - 1}`;
      const message = `${chip.name} has no ${part.name} ${index}.`;
      throw new MachineError('INVALID_ARGUMENT', message, `Use an index from ${range}.`, { valid_range: range });
    }
    if (!chips.write) {
      throw new MachineError(
        'MISSING_CAPABILITY',
        'The chips of this machine can only be read.',
        advice`Use ${call('chip_read')}.`,
      );
    }
    await chips.write(chip.name, part.name, index, { ...values, ...textIn(part, text) });
    const { lines, values: now, numbers } = await chip.read(part.name, index);
    const title = `${chip.name} ${part.name}${part.count > 1 ? ` ${index}` : ''} now`;
    return {
      text: [title, ...lines].join('\n'),
      data: { chip: chip.name, part: part.name, index, values: now, numbers },
    };
  },
});

function textIn({ name, texts: [takes] = [] }: ChipPart, text: string | undefined): ChipWrites {
  if (text === undefined) return {};
  if (takes !== undefined) return { [takes]: text };
  throw new MachineError('INVALID_ARGUMENT', `${name} takes no text.`, 'Give "values".');
}
