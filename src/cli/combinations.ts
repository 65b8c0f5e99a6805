import type { Command } from './commands.ts';
import type { RawSections } from './config-section-names.ts';
import type { Setting, Source } from './layers.ts';
import { type OptionName, options } from './options.ts';

const strength: Readonly<Record<Source['place'], number>> = { flag: 3, environment: 2, file: 1, default: 0 };
const forUrl: ReadonlySet<OptionName> = new Set(['url', 'token', 'output', 'json', 'config']);

/**
 * Finds options that make no sense together. Where two exclude each other and come from different places, the
 * stronger place wins and the other setting is taken out of `settings`.
 */
export function settleCombinations(
  command: Command,
  positionals: readonly string[],
  settings: Map<OptionName, Setting>,
  sections?: RawSections,
): string[] {
  const problems: string[] = [];
  const token = settings.get('token');
  const noToken = settings.get('no-token');
  if (token && noToken?.value === true) {
    const difference = strength[token.source.place] - strength[noToken.source.place];
    if (difference === 0) problems.push(`${token.source.name} and ${noToken.source.name} exclude each other.`);
    else settings.delete(difference > 0 ? 'no-token' : 'token');
  }
  if (command === 'serve') {
    if (settings.get('no-token')?.value === true && hasTokens(sections)) {
      problems.push(
        `${settings.get('no-token')?.source.name} and the "tokens" of the configuration file exclude each other.`,
      );
    }
    const [cert, key] = [settings.get('tls-cert'), settings.get('tls-key')];
    if (cert && !key) problems.push(`${cert.source.name} needs --tls-key, the private key of the certificate.`);
    if (key && !cert) problems.push(`${key.source.name} needs --tls-cert, the certificate of the key.`);
  }
  problems.push(...dialectProblems(settings));
  if (command === 'attach' && settings.has('socket') && positionals.length > 0) {
    problems.push(`Give either --socket or a name, not both.`);
  }
  if (command === 'call' || command === 'tools') problems.push(...urlProblems(settings));
  return problems;
}

/** An option of a dialect would do nothing without it. Another dialect from a stronger place takes it out. */
function dialectProblems(settings: Map<OptionName, Setting>): string[] {
  const chosen = settings.get('dialect');
  const problems: string[] = [];
  for (const { name, dialect } of options) {
    const setting = settings.get(name);
    if (dialect === undefined || dialect === chosen?.value || !setting || setting.value === false) continue;
    if (chosen && strength[chosen.source.place] > strength[setting.source.place]) settings.delete(name);
    else
      problems.push(`${setting.source.name} is an option of the dialect ${dialect}: use it with --dialect ${dialect}.`);
  }
  return problems;
}

/** A server that runs elsewhere has its own options: those of this command line would do nothing. */
function urlProblems(settings: ReadonlyMap<OptionName, Setting>): string[] {
  const url = settings.get('url');
  if (url === undefined) {
    const token = settings.get('token');
    return token?.source.place === 'flag' ? [`${token.source.name} is only of use with --url.`] : [];
  }
  return [...settings]
    .filter(([name, { source }]) => source.place === 'flag' && !forUrl.has(name))
    .map(([, { source }]) => `${source.name} has no effect on the server at ${url.value} (from ${url.source.name}).`);
}

/** As written: whether they are right is looked at where they are used. */
function hasTokens(sections: RawSections | undefined): boolean {
  const tokens = sections?.values.get('tokens');
  return Array.isArray(tokens) && tokens.length > 0;
}
