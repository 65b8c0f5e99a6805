import { commandNames } from '../commands.ts';
import { type Option, options } from '../options.ts';

/** The options that completion offers. */
export const shownOptions = options.filter((option) => !option.hidden);

/** The values an option takes, where they can be listed. */
export function choicesOf(option: Option): string | undefined {
  return 'choices' in option ? option.choices?.join(' ') : undefined;
}

/** What kind of file names complete the value, if any. */
export function fileKind(option: Option): 'file' | 'directory' | undefined {
  const format = 'format' in option ? option.format : undefined;
  return format === 'file' || format === 'directory' ? format : undefined;
}

/** The words for the first argument of a command. */
export function wordsOf(
  values: 'tools' | 'commands' | readonly string[],
  toolNames: readonly string[],
): readonly string[] {
  if (values === 'tools') return toolNames;
  return values === 'commands' ? commandNames : values;
}

/** Lists the consoles of running servers the way `runtimeRoot` finds them. */
export const listConsoles = [
  `    local root="\${XDG_RUNTIME_DIR:+$XDG_RUNTIME_DIR/frontpanel}" socket`,
  `    root="\${root:-\${TMPDIR:-/tmp}/frontpanel-$(id -u)}"`,
  `    find "$root" -maxdepth 2 -name '*.out' 2>/dev/null | sed 's|.*/||; s|\\.out$||' | sort -u`,
];
