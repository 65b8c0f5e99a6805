import { type Option, options } from './options.ts';

/** The command line cut into its words, before anything is known about commands. */
export interface Argv {
  readonly positionals: readonly string[];
  readonly flags: readonly GivenFlag[];
  /** Words that look like options and are none, and options that lack their value. */
  readonly problems: readonly ArgvProblem[];
}

export interface GivenFlag {
  readonly option: Option;
  /** As it was written: `--no-yes`. */
  readonly written: string;
  readonly text: string;
}

type ArgvProblem =
  | { readonly type: 'unknown'; readonly word: string }
  | { readonly type: 'value missing'; readonly option: Option };

const byName = new Map<string, Option>(options.map((option) => [option.name, option]));
const byShort = new Map(options.map((option) => [option.short, option]));

export function splitArgv(argv: readonly string[]): Argv {
  const positionals: string[] = [];
  const flags: GivenFlag[] = [];
  const problems: ArgvProblem[] = [];
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? '';
    if (word === '--') {
      positionals.push(...argv.slice(index + 1));
      break;
    }
    if (word === '-' || !word.startsWith('-')) {
      positionals.push(word);
      continue;
    }
    const flag = findFlag(word);
    if (flag === undefined) {
      problems.push({ type: 'unknown', word: word.replace(/=.*/s, '') });
    } else if (flag.text !== undefined) {
      flags.push({ ...flag, text: flag.text });
    } else if (isValue(argv[index + 1])) {
      index += 1;
      flags.push({ ...flag, text: argv[index] ?? '' });
    } else {
      problems.push({ type: 'value missing', option: flag.option });
    }
  }
  return { positionals, flags, problems };
}

/** Without `text` where the value is the next word. */
function findFlag(
  word: string,
): { readonly option: Option; readonly written: string; readonly text: string | undefined } | undefined {
  if (!word.startsWith('--')) {
    const option = word.length === 2 ? byShort.get(word[1]) : undefined;
    return option && { option, written: word, text: option.type === 'flag' ? 'true' : undefined };
  }
  const equals = word.indexOf('=');
  const written = equals < 0 ? word : word.slice(0, equals);
  const text = equals < 0 ? undefined : word.slice(equals + 1);
  const option = byName.get(written.slice(2));
  if (option) return { option, written, text: text ?? (option.type === 'flag' ? 'true' : undefined) };
  const denied = written.startsWith('--no-') ? byName.get(written.slice(5)) : undefined;
  if (denied?.type !== 'flag' || text !== undefined) return undefined;
  return { option: denied, written, text: 'false' };
}

function isValue(word: string | undefined): boolean {
  return word !== undefined && (word === '-' || !word.startsWith('-'));
}
