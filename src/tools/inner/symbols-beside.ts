import { z } from 'zod';
import { MachineError } from '../../machine/errors.ts';
import type { HostFiles } from '../../machine/files.ts';
import type { Machine } from '../../machine/machine.ts';
import { labelEndings, withEnding } from '../debug/names-beside.ts';
import { fileLimits } from '../file-limits.ts';
import { defineTool } from '../tool.ts';

/** They come last: their annotations take the addresses of labels that are known. */
const sourceEndings = ['asm', 's', 'a'] as const;

/** What assemblers leave beside a program: label and debug files, and its source with annotations. */
export const symbolsBeside = defineTool({
  name: 'symbols_beside',
  title: 'Load the symbols beside a program',
  description: 'Loads the label files, debug files and sources that have the name of a program and lie in its folder.',
  toolset: 'inner',
  needs: ['symbols', 'annotations'],
  effect: 'change',
  idempotent: true,
  input: z.object({ path: z.string() }),
  async run({ symbols, annotations }, { path }, { rack }) {
    const loaded: string[] = [];
    const notes: string[] = [];
    const take = async (file: string) => {
      const found = await loadIfThere(file, symbols, rack.files);
      if (found === undefined) return;
      if (found.isLoaded) loaded.push(file);
      notes.push(...found.notes.map((note) => `${baseName(file)}: ${note}`));
    };
    for (const ending of labelEndings) await take(withEnding(path, ending));
    for (const ending of sourceEndings) {
      const file = withEnding(path, ending);
      // A debug file has brought it, or it was the program.
      const isKnown = annotations.list().some((each) => baseName(each.file) === baseName(file));
      if (!isKnown && file !== path) await take(file);
    }
    return { text: notes.join('\n'), data: { loaded, notes } };
  },
});

async function loadIfThere(
  file: string,
  symbols: NonNullable<Machine['symbols']>,
  files: Pick<HostFiles, 'read'>,
): Promise<{ readonly isLoaded: boolean; readonly notes: readonly string[] } | undefined> {
  try {
    const bytes = await files.read(file, fileLimits.names);
    // A source without annotations tells nothing.
    if (sourceEndings.some((ending) => file.endsWith(`.${ending}`)) && !Buffer.from(bytes).includes('@mcp-')) return;
    const { added, notes } = await symbols.load({ name: file, bytes }, 0n);
    return { isLoaded: true, notes: [`${added} ${added === 1 ? 'symbol' : 'symbols'}`, ...notes] };
  } catch (problem) {
    if (!(problem instanceof MachineError)) throw problem;
    if (problem.type === 'NOT_FOUND' || problem.type === 'PATH_NOT_ALLOWED') return undefined;
    // The program runs all the same.
    return { isLoaded: false, notes: [problem.message] };
  }
}

function baseName(file: string): string {
  return file.split(/[\\/]/).at(-1) ?? file;
}
