import { defaultText, optionUsage } from './help.ts';
import { optionGroups } from './option-row.ts';
import { type Option, options, reaches } from './options.ts';

/** The README's table of options. */
export function optionsMarkdown(): string {
  const rows = Object.keys(optionGroups).flatMap((group) =>
    options.filter((option) => option.group === group && !option.hidden).map(row),
  );
  return ['| Option | Environment | Default | Meaning | Commands |', '| --- | --- | --- | --- | --- |', ...rows].join(
    '\n',
  );
}

function row(option: Option): string {
  const initial = option.defaultText ?? code(defaultText(option));
  const cells = [
    code(optionUsage(option)),
    reaches(option, 'environment') ? code(option.env) : '',
    initial,
    option.summary,
    option.name === 'help' || option.name === 'version' ? 'all' : option.commands.map(code).join(' '),
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function code(text: string): string {
  return text === '' ? '' : `\`${text}\``;
}
