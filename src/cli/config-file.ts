import { dirname, isAbsolute, join } from 'node:path';
import { suggestion } from '../formats/nearest-name.ts';
import { isSection, type RawSections, type SectionName, sectionNames } from './config-section-names.ts';
import { readJson } from './option-value.ts';
import { type Option, type OptionValue, options, reaches } from './options.ts';

export const defaultConfigPath = 'frontpanel.config.json';

/** `found` is a file that nobody named, which lies where the program was started. */
export type ConfigFileOrigin = 'named' | 'found';

/** The text of a file, or undefined when there is none. Throws when there is one that cannot be read, or must not be obeyed. */
export type ReadConfigFile = (path: string, origin: ConfigFileOrigin) => string | undefined;

export interface ConfigFile {
  readonly path: string;
  readonly values: ReadonlyMap<Option, OptionValue>;
  readonly sections: RawSections;
  readonly problems: readonly string[];
}

const settable = options.filter((option) => reaches(option, 'file'));

/** Reads and checks a whole configuration file. Relative paths in it start at the file's own directory. */
export function parseConfigFile(path: string, text: string): ConfigFile {
  const values = new Map<Option, OptionValue>();
  const problems: string[] = [];
  const sections = new Map<SectionName, unknown>();
  const finish = (...more: string[]): ConfigFile => ({
    path,
    values,
    sections: { path, values: sections },
    problems: [...problems, ...more],
  });
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return finish(`${path} is not JSON: ${error instanceof Error ? error.message : error}.`);
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return finish(`${path} must hold a JSON object, such as {"port": 6510}.`);
  }
  for (const [key, value] of Object.entries(json)) {
    if (key === '$schema') continue;
    if (isSection(key)) {
      sections.set(key, value);
      continue;
    }
    const option = settable.find(({ name }) => name === key);
    if (option === undefined) {
      problems.push(`${path}: unknown key "${key}".${suggestion(key, knownKeys())}`);
      continue;
    }
    const reading = readJson(option, value);
    if (reading.problem !== undefined) problems.push(`${path}: "${key}" ${reading.problem}.`);
    else values.set(option, fromDirectory(dirname(path), option, reading.value));
  }
  return finish();
}

function knownKeys(): string[] {
  return [...settable.filter((option) => !option.hidden).map((option) => option.name), ...sectionNames];
}

function fromDirectory(directory: string, option: Option, value: OptionValue): OptionValue {
  const isPath = 'format' in option && (option.format === 'file' || option.format === 'directory');
  if (!isPath || directory === '.') return value;
  const resolve = (path: string) => (isAbsolute(path) ? path : join(directory, path));
  return typeof value === 'object' ? value.map(resolve) : resolve(String(value));
}
