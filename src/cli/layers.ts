import type { GivenFlag } from './argv.ts';
import { defaultConfigPath, parseConfigFile, type ReadConfigFile } from './config-file.ts';
import type { RawSections } from './config-section-names.ts';
import { type Reading, readText } from './option-value.ts';
import { type Option, type OptionName, type OptionValue, reaches } from './options.ts';

/** A value and where it came from. */
export interface Setting {
  readonly value: OptionValue;
  readonly source: Source;
}

export interface Source {
  readonly place: 'flag' | 'environment' | 'file' | 'default';
  /** For people: `--port`, `FRONTPANEL_PORT`, `frontpanel.config.json: "port"`, `default`. */
  readonly name: string;
}

/** What one place says. */
export interface Layer {
  readonly settings: ReadonlyMap<OptionName, Setting>;
  /** Only the configuration file has any. */
  readonly sections?: RawSections;
  readonly problems: readonly string[];
}

export function flagLayer(options: readonly Option[], flags: readonly GivenFlag[]): Layer {
  const settings = new Map<OptionName, Setting>();
  const problems: string[] = [];
  for (const { option, written, text } of flags) {
    if (!options.includes(option)) continue;
    const reading = readFlag(option, text, settings.get(option.name)?.value);
    if (reading.problem !== undefined) problems.push(`${written} ${reading.problem}.`);
    else settings.set(option.name, { value: reading.value, source: { place: 'flag', name: written } });
  }
  return { settings, problems };
}

export function environmentLayer(options: readonly Option[], env: NodeJS.ProcessEnv): Layer {
  const settings = new Map<OptionName, Setting>();
  const problems: string[] = [];
  for (const option of options) {
    const text = env[option.env];
    if (!text || !reaches(option, 'environment')) continue;
    const reading = readText(option, text);
    if (reading.problem !== undefined) problems.push(`${option.env} ${reading.problem}.`);
    else settings.set(option.name, { value: reading.value, source: { place: 'environment', name: option.env } });
  }
  return { settings, problems };
}

/** `chosen` is the file that somebody asked for; without it the default one is read if it is there. */
export function fileLayer(options: readonly Option[], chosen: Setting | undefined, read: ReadConfigFile): Layer {
  const path = String(chosen?.value ?? defaultConfigPath);
  let text: string | undefined;
  try {
    text = read(path, chosen ? 'named' : 'found');
  } catch (error) {
    return { settings: new Map(), problems: [`${path} cannot be used: ${messageOf(error)}.`] };
  }
  if (text === undefined) {
    return { settings: new Map(), problems: chosen ? [`${chosen.source.name}: there is no file ${path}.`] : [] };
  }
  const file = parseConfigFile(path, text);
  const settings = new Map<OptionName, Setting>();
  for (const [option, value] of file.values) {
    if (!options.includes(option)) continue;
    settings.set(option.name, { value, source: { place: 'file', name: `${path}: "${option.name}"` } });
  }
  return { settings, sections: file.sections, problems: file.problems };
}

/** Lists grow with each mention; anything else is what was said last. */
function readFlag(option: Option, text: string, before: OptionValue | undefined): Reading {
  if (text === '' && option.type !== 'list') return { problem: 'needs a value' };
  const reading = readText(option, text);
  if (typeof reading.value !== 'object' || typeof before !== 'object') return reading;
  return { value: [...before, ...reading.value] };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
