import { commandRows } from '../commands.ts';
import type { Option } from '../options.ts';
import { choicesOf, fileKind, listConsoles, shownOptions, wordsOf } from './words.ts';

export function zsh(toolNames: readonly string[]): string {
  const cases = commandRows
    .filter(({ command }) => command !== 'stdio')
    .map(({ command, positionals }) => {
      const first = positionals[0];
      const specs = shownOptions.filter((option) => option.commands.includes(command)).map(zshSpec);
      if (first?.values !== undefined) {
        const action =
          first.values === 'consoles' ? '($(_frontpanel_consoles))' : `(${wordsOf(first.values, toolNames).join(' ')})`;
        specs.push(`'1:${first.name}:${action}'`);
      }
      return `        ${command}) _arguments ${specs.join(' ')} ;;`;
    });
  const commands = commandRows
    .filter(({ command }) => command !== 'stdio')
    .map(({ command, summary }) => `        '${zshText(`${command}:${summary}`)}'`);
  const own = shownOptions.filter((option) => option.commands.includes('stdio')).map(zshSpec);
  return `#compdef frontpanel
# zsh completion for frontpanel. Generated: frontpanel completion zsh
_frontpanel_consoles() {
${listConsoles.join('\n')}
}

_frontpanel() {
    local context state state_descr line
    typeset -A opt_args
    _arguments -C ${own.join(' ')} '1:command:->command' '*::argument:->argument'
    if [[ $state == command ]]; then
        local -a commands=(
${commands.join('\n')}
        )
        _describe command commands
        return
    fi
    [[ $state == argument ]] || return
    case "$line[1]" in
${cases.join('\n')}
    esac
}

if [[ $funcstack[1] == _frontpanel ]]; then _frontpanel "$@"; else compdef _frontpanel frontpanel; fi
`;
}

function zshSpec(option: Option): string {
  const summary = zshText(option.summary.replace(/\.$/, '')).replace(/[[\]:]/g, '\\$&');
  const repeat = option.type === 'list' ? '*' : '';
  if (option.type === 'flag') return `'--${option.name}[${summary}]'`;
  const kind = fileKind(option);
  const action = kind === undefined ? ' ' : { file: '_files', directory: '_files -/' }[kind];
  const choices = choicesOf(option);
  const values = choices ? `(${choices})` : action;
  return `'${repeat}--${option.name}=[${summary}]:${(option.placeholder ?? option.name).replaceAll(':', '')}:${values}'`;
}

function zshText(text: string): string {
  return text.replaceAll("'", `'\\''`);
}
