import { DosError } from '../../drives/dos-error.ts';
import { attributes } from '../../drives/drive.ts';
import { upperCase } from '../../drives/names.ts';
import type { Dos } from '../../services/dos/dos.ts';
import { type CommandCall, type ShellCommand, ShellError } from '../shell-command.ts';
import { matchFiles } from '../shell-files.ts';
import type { Job } from '../shell-state.ts';
import { ticksNow } from '../text-jobs.ts';

type Filter = Extract<Job, { kind: 'gather' }>['filter'];

const mostFolders = 2000;
const ticksPerSecond = 18.2;

const find: ShellCommand = {
  names: ['FIND'],
  isProgram: true,
  run(call) {
    const [quoted, text] = /"((?:[^"]|"")*)"/.exec(call.tail) ?? [];
    if (quoted === undefined || text === undefined) throw new ShellError('FIND: Parameter format not correct');
    const { words, switches } = wordsOf(call.tail.replace(quoted, ' '), /^[VCNI]$/);
    const has = (letter: string) => switches.includes(letter);
    const options = { inverts: has('V'), counts: has('C'), numbers: has('N'), folds: has('I') };
    gather(call, { name: 'find', text: text.replaceAll('""', '"'), ...options }, words);
  },
};

const sort: ShellCommand = {
  names: ['SORT'],
  isProgram: true,
  run(call) {
    const { words, switches } = wordsOf(call.tail, /^(R|\+\d{1,4})$/);
    if (words.length > 1) throw new ShellError(`Too many parameters - ${words[1]}`);
    const column = Number(switches.find((each) => each.startsWith('+'))?.slice(1) ?? 1);
    gather(call, { name: 'sort', reverses: switches.includes('R'), column: Math.max(1, column) }, words);
  },
};

const more: ShellCommand = {
  names: ['MORE'],
  isProgram: true,
  run(call) {
    const { words } = wordsOf(call.tail, /^$/);
    gather(call, { name: 'more' }, words);
  },
};

const choice: ShellCommand = {
  names: ['CHOICE'],
  isProgram: true,
  run({ dos, shell, context, tail }) {
    const [, keys = 'YN'] = /\/c:?([^\s/]+)/i.exec(tail) ?? [];
    const [, wanted, seconds] = /\/t:?(\S),(\d{1,2})\b/i.exec(tail) ?? [];
    const isExact = /\/s\b/i.test(tail);
    const text = tail.replace(/\/(?:c:?[^\s/]+|t:?\S,\d{1,2}|n\b|s\b)/gi, '').trim();
    if (/\/\S/.test(text)) throw new ShellError(`Invalid switch - ${/\/\S*/.exec(text)?.[0]}`);
    const offered = isExact ? keys : upperCase(keys);
    const fallback = wanted === undefined ? -1 : offered.indexOf(isExact ? wanted : upperCase(wanted));
    if (wanted !== undefined && fallback < 0)
      throw new ShellError('Timeout default not in specified (or default) choices.');
    const shown = /\/n\b/i.test(tail) ? '' : `[${[...offered].join(',')}]?`;
    shell.print(`${text.replace(/^"(.*)"$/, '$1')}${shown}`);
    const until = seconds === undefined ? -1 : ticksNow(dos) + Math.ceil(Number(seconds) * ticksPerSecond);
    context.job = { kind: 'choice', keys: offered, isExact, fallback, until };
  },
};

const letters = { R: attributes.readOnly, A: attributes.archive, S: attributes.system, H: attributes.hidden } as const;
const allKinds = attributes.hidden | attributes.system | attributes.readOnly | attributes.archive;

const attribute: ShellCommand = {
  names: ['ATTRIB'],
  isProgram: true,
  run({ dos, shell, tail }) {
    const { words, switches } = wordsOf(tail, /^S$/);
    const changes = words.filter((word) => /^[-+]/.test(word));
    const [pattern = '*.*', ...others] = words.filter((word) => !/^[-+]/.test(word));
    if (others.length > 0) throw new ShellError(`Too many parameters - ${others[0]}`);
    let [on, off] = [0, 0];
    for (const change of changes) {
      const bit = letters[upperCase(change.slice(1)) as keyof typeof letters];
      if (bit === undefined) throw new ShellError(`Parameter format not correct - ${change}`);
      if (change.startsWith('+')) on |= bit;
      else off |= bit;
    }
    const found = filesIn(dos, pattern, switches.includes('S'));
    if (found.length === 0) throw new ShellError(`File not found - ${upperCase(pattern)}`);
    for (const { path, entry } of found) {
      if (changes.length === 0) shell.print(`${lettersOf(entry.attributes)}${path}\r\n`);
      else {
        const drive = dos.drives.get(dos.paths.resolve(path).drive);
        drive.update(entry.id, { attributes: (entry.attributes & ~off) | on });
      }
    }
  },
};

export const filterCommands = [find, sort, more, choice, attribute] as const;

function gather({ context }: CommandCall, filter: Filter, files: readonly string[]): void {
  context.job = { kind: 'gather', filter, files, read: [], handle: -1, text: '' };
}

/** Words and switches, of which each must be known. */
function wordsOf(
  tail: string,
  known: RegExp,
): { readonly words: readonly string[]; readonly switches: readonly string[] } {
  const words: string[] = [];
  const switches: string[] = [];
  for (const word of tail.trim().split(/[\s,;=]+/)) {
    const [first = '', ...rest] = word.split('/');
    if (first !== '') words.push(first);
    for (const option of rest) {
      const upper = upperCase(option);
      if (!known.test(upper)) throw new ShellError(`Invalid switch - /${upper}`);
      switches.push(upper);
    }
  }
  return { words, switches };
}

function lettersOf(bits: number): string {
  const letter = (name: keyof typeof letters) => (bits & letters[name] ? name : ' ');
  return `  ${letter('A')}  ${letter('S')}${letter('H')}${letter('R')}     `;
}

/** With what lies in the folders below, where that is wanted. */
function filesIn(dos: Dos, pattern: string, deep: boolean): ReturnType<typeof matchFiles> {
  const cut = Math.max(pattern.lastIndexOf('\\'), pattern.lastIndexOf(':')) + 1;
  const name = pattern.slice(cut) || '*.*';
  const folders = [pattern.slice(0, cut)];
  const found: ReturnType<typeof matchFiles> = [];
  for (let index = 0; index < folders.length && index < mostFolders; index++) {
    const folder = folders[index] ?? '';
    try {
      found.push(...matchFiles(dos, `${folder}${name}`, allKinds));
    } catch (error) {
      if (!(error instanceof DosError) || index === 0) throw error;
    }
    if (!deep) break;
    const below = matchFiles(dos, `${folder}*.*`, allKinds | attributes.directory);
    for (const { path, entry } of below) {
      if (entry.attributes & attributes.directory && !entry.name.startsWith('.')) folders.push(`${path}\\`);
    }
  }
  return found;
}
