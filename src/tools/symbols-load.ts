import { z } from 'zod';
import { MachineError } from '../machine/errors.ts';
import { fileLimits } from './file-limits.ts';
import { defineTool } from './tool.ts';

export const symbolsLoad = defineTool({
  name: 'symbols_load',
  title: 'Load symbols',
  description:
    'Names for addresses from a label, map or debug file; they then work wherever an address is taken and show in ' +
    'disassembly. The format is told by the content. Example: {"path":"game.lbl"}.',
  toolset: 'more',
  needs: ['symbols', 'addresses'],
  effect: 'change',
  idempotent: true,
  input: z.object({
    path: z.string().describe('File below an allowed path'),
    offset: z.string().default('0').describe('Added to every address: $1000, -0x200'),
  }),
  async run({ symbols, addresses }, { path, offset }, { rack }) {
    const bytes = await rack.files.read(path, fileLimits.symbols);
    const loaded = await symbols.load({ name: path, bytes }, parseOffset(offset));
    const summary = `${loaded.added} symbols from ${path} (${loaded.format}); ${addresses.symbols.size} are known`;
    return { text: [summary, ...loaded.notes].join('\n'), data: { ...loaded } };
  },
});

function parseOffset(text: string): bigint {
  const [, sign, dollar, number] = /^([+-]?)(?:(\$|0x)([\da-f]+)|\d+)$/i.exec(text.trim()) ?? [];
  if (sign === undefined) {
    throw new MachineError('INVALID_ARGUMENT', `"${text.slice(0, 40)}" is no offset.`, 'Write $1000, 0x1000 or 4096.');
  }
  const size = dollar === undefined ? BigInt(text.trim().replace(/^[+-]/, '')) : BigInt(`0x${number}`);
  return sign === '-' ? -size : size;
}
