import { type Command, type CommandRow, commandNames, commandRows, commandTable } from '../commands.ts';
import type { Option } from '../options.ts';
import { choicesOf, fileKind, listConsoles, shownOptions, wordsOf } from './words.ts';

export function bash(toolNames: readonly string[]): string {
  const values = shownOptions.filter((option) => option.type !== 'flag');
  const byCommand = commandRows.map(({ command }) => `        ${command}) options='${flagsOf(command).join(' ')}' ;;`);
  const positionals = commandNames.flatMap((command) => {
    const words = bashWords(command, toolNames);
    return words === undefined ? [] : [`        ${command}:0) words=${words} ;;`];
  });
  return `# bash completion for frontpanel. Generated: frontpanel completion bash
_frontpanel_consoles() {
${listConsoles.join('\n')}
}

_frontpanel_values() {
    case "$1" in
${values.map((option) => `        --${option.name}) ${bashValues(option)} ;;`).join('\n')}
        *) return 1 ;;
    esac
}

_frontpanel() {
    COMPREPLY=()
    # Bash cuts words at "=": give "--name=value" back its halves.
    local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}"
    if [[ $current == = ]]; then current=''
    elif [[ $previous == = && COMP_CWORD -gt 1 ]]; then previous="\${COMP_WORDS[COMP_CWORD - 2]}"
    fi

    local command=stdio count=0 index word words='' options=''
    for ((index = 1; index < COMP_CWORD; index++)); do
        word="\${COMP_WORDS[index]}"
        case "$word" in
            ${values.map((option) => `--${option.name}`).join('|')}) 
                [[ \${COMP_WORDS[index + 1]} == = ]] && ((index++))
                ((index++)) ;;
            -*|=) ;;
            *)
                if [[ $command == stdio ]]; then command="$word"; else ((count++)); fi ;;
        esac
    done

    if _frontpanel_values "$previous"; then return; fi
    case "$command" in
${byCommand.join('\n')}
        *) return ;;
    esac
    case "$command:$count" in
        stdio:0) words='${commandNames.join(' ')}' ;;
${positionals.join('\n')}
    esac
    if [[ $current == -* ]]; then words="$options"; fi
    COMPREPLY=($(compgen -W "$words" -- "$current"))
}

complete -F _frontpanel frontpanel
`.replace(/[ \t]+$/gm, '');
}

function bashValues(option: Option): string {
  const choices = choicesOf(option);
  if (choices) return `COMPREPLY=($(compgen -W '${choices}' -- "$current"))`;
  const kind = fileKind(option);
  if (kind === 'directory') return `compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$current"))`;
  if (kind === 'file') return `compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$current"))`;
  return ':';
}

function bashWords(command: Command, toolNames: readonly string[]): string | undefined {
  const row: CommandRow = commandTable[command];
  const values = row.positionals[0]?.values;
  if (values === undefined) return undefined;
  if (values === 'consoles') return '"$(_frontpanel_consoles)"';
  return `'${wordsOf(values, toolNames).join(' ')}'`;
}

function flagsOf(command: string): string[] {
  return shownOptions
    .filter((option) => option.commands.some((name) => name === command))
    .flatMap((option) => (option.short ? [`-${option.short}`, `--${option.name}`] : [`--${option.name}`]));
}
