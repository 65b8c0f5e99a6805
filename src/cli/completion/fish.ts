import { type CommandRow, commandNames, commandRows, commandTable } from '../commands.ts';
import { choicesOf, fileKind, shownOptions, wordsOf } from './words.ts';

export function fish(toolNames: readonly string[]): string {
  const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const commandLines = commandRows
    .filter(({ command }) => command !== 'stdio')
    .map(
      ({ command, summary }) =>
        `complete -c frontpanel -n __fish_use_subcommand -f -a ${command} -d ${quoted(summary.replace(/\.$/, ''))}`,
    );
  const positionals = commandNames.flatMap((command) => {
    const row: CommandRow = commandTable[command];
    const values = row.positionals[0]?.values;
    if (values === undefined) return [];
    const words = values === 'consoles' ? '(__frontpanel_consoles)' : wordsOf(values, toolNames).join(' ');
    return [`complete -c frontpanel -n '__fish_seen_subcommand_from ${command}' -f -a ${quoted(words)}`];
  });
  const flags = shownOptions.flatMap((option) =>
    option.commands.map((command) => {
      const when = command === 'stdio' ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${command}`;
      const value = option.type === 'flag' ? '' : fileKind(option) ? ' -r -F' : ' -x';
      const words = choicesOf(option);
      const choices = words ? ` -a ${quoted(words)}` : '';
      const short = option.short ? ` -s ${option.short}` : '';
      const summary = quoted(option.summary.replace(/\.$/, ''));
      return `complete -c frontpanel -n ${quoted(when)} -l ${option.name}${short}${value}${choices} -d ${summary}`;
    }),
  );
  return `# fish completion for frontpanel. Generated: frontpanel completion fish
function __frontpanel_consoles
    set -l root (test -n "$XDG_RUNTIME_DIR"; and echo $XDG_RUNTIME_DIR/frontpanel; or echo (test -n "$TMPDIR"; and echo $TMPDIR; or echo /tmp)/frontpanel-(id -u))
    find $root -maxdepth 2 -name '*.out' 2>/dev/null | sed 's|.*/||; s|\\.out$||' | sort -u
end

complete -c frontpanel -f
${[...commandLines, ...positionals, ...flags].join('\n')}
`;
}
