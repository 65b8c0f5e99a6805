import { z } from 'zod';
import type { ToolAnswer } from '../api/tool-host.ts';
import { MachineError } from '../machine/errors.ts';
import type { LinuxCapability } from '../machine/linux.ts';
import type { SymbolsCapability } from '../machine/symbols.ts';
import { fileLimits } from './file-limits.ts';
import { defineTool } from './tool.ts';

export const symbolsLoad = defineTool({
  name: 'symbols_load',
  title: 'Load symbols',
  description:
    'Names for addresses from a label, map or debug file; they then work wherever an address is taken and show in ' +
    'disassembly. The format is recognised by its content. Example: {"path":"game.lbl"}; without a path, lists what is loaded. {"from_guest":true} takes the names that a running Linux has in memory.',
  toolset: 'names',
  needs: ['symbols', 'addresses'],
  effect: 'change',
  idempotent: true,
  input: z.object({
    path: z.string().optional().describe('File below an allowed path'),
    offset: z.string().default('0').describe('Added to every address: $1000, -0x200'),
    from_guest: z.boolean().default(false),
    unload: z.boolean().default(false).describe('Forget the names from this file instead'),
  }),
  async run({ symbols, addresses, linux }, { path, offset, unload, from_guest: fromGuest }, { rack }) {
    if (fromGuest) return fromKernel(linux);
    if (path === undefined) return listed(symbols);
    if (unload) return unloaded(symbols, path);
    const bytes = await rack.files.read(path, symbols.mostBytes ?? fileLimits.symbols);
    const loaded = await symbols.load({ name: path, bytes }, parseOffset(offset));
    const summary = `${plural(loaded.added)} from ${path} (${loaded.format}); ${addresses.symbols.size} are known`;
    return { text: [summary, ...loaded.notes].join('\n'), data: { ...loaded } };
  },
});

function listed({ sources, formats }: SymbolsCapability): ToolAnswer {
  if (!sources) {
    throw new MachineError('INVALID_ARGUMENT', 'No file to load.', `Give a path. Formats: ${formats.join(', ')}.`);
  }
  const lines = sources.map(({ name, symbols }) => `${name}: ${plural(symbols)}`);
  return { text: lines.join('\n') || 'Nothing has been loaded.', data: { sources } };
}

async function fromKernel(linux: LinuxCapability | undefined): Promise<ToolAnswer> {
  if (!linux) {
    throw new MachineError('MISSING_CAPABILITY', 'No Linux runs here.', 'Give the path of a file with symbols.');
  }
  const { kernel, modules } = await linux.loadSymbols();
  return { text: `${plural(kernel)} of the kernel and ${modules} of its modules`, data: { kernel, modules } };
}

async function unloaded(symbols: SymbolsCapability, path: string): Promise<ToolAnswer> {
  if (!symbols.unload) {
    throw new MachineError('MISSING_CAPABILITY', 'Names cannot be unloaded here.', 'Load a newer file over them.');
  }
  const gone = await symbols.unload(path);
  return { text: `${plural(gone)} from ${path} forgotten`, data: { unloaded: gone } };
}

function plural(count: number): string {
  return `${count} ${count === 1 ? 'symbol' : 'symbols'}`;
}

function parseOffset(text: string): bigint {
  const [, sign, dollar, number] = /^([+-]?)(?:(\$|0x)([\da-f]+)|\d+)$/i.exec(text.trim()) ?? [];
  if (sign === undefined) {
    throw new MachineError(
      'INVALID_ARGUMENT',
      `"${text.slice(0, 40)}" is not an offset.`,
      'Write $1000, 0x1000 or 4096.',
    );
  }
  const size = dollar === undefined ? BigInt(text.trim().replace(/^[+-]/, '')) : BigInt(`0x${number}`);
  return sign === '-' ? -size : size;
}
