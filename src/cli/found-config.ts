import { realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { isLoopbackRule } from '../host/policy/tcp-rules.ts';
import type { Command } from './commands.ts';
import type { RawSections } from './config-section-names.ts';
import type { Layer, Setting } from './layers.ts';
import { type OptionName, type OptionValue, options } from './options.ts';

/**
 * Commands that agents and IDEs start in the folder of a project, which anybody may have written: a configuration file that
 * lies there may restrict what they do and grant nothing.
 */
const startedInProjects: readonly Command[] = ['stdio', 'dap', 'call', 'tools'];

/** What somebody named stands above the file, and is what the file may restrict. */
export type Named = Pick<Layer, 'settings'>;

/** As much of the value as grants nothing; undefined for nothing of it. */
type Part = (value: OptionValue, standing: OptionValue | undefined, named: readonly Named[]) => OptionValue | undefined;

const whole: Part = (value) => value;
const unlessTrue: Part = (value) => (value === true ? undefined : value);
const noMore: Part = (value, standing) => (Number(value) <= Number(standing) ? value : undefined);
/** Words of the file that agents are shown must not be able to tell them anything. */
const word: Part = (value) => {
  const words = listOf(value).filter((item) => /^[a-z0-9_-]{1,32}$/i.test(item));
  if (typeof value !== 'object') return words[0];
  return words.length === 0 && value.length > 0 ? undefined : words;
};
const only =
  (grantsNothing: (item: string) => boolean): Part =>
  (value) =>
    listOf(value).filter(grantsNothing);

/** Of the options that a file can set, those that it may set unnamed. What is not here it may not. */
const parts: Partial<Record<OptionName, Part>> = {
  page: (value) => (value === 'off' ? value : undefined),
  toolset: whole,
  structured: whole,
  'image-responses': whole,
  dialect: whole,
  'dialect-names': whole,
  exe: (value, _standing, named) => placesWithin([String(value)], readable(named))[0],
  'cfg-cpu': whole,
  machine: word,
  yes: unlessTrue,
  'idle-timeout': (value, standing, named) => (value === 0 ? undefined : noMore(value, standing, named)),
  'allow-path': (value, standing) => placesWithin(listOf(value), listOf(standing)),
  'allow-read': (value, _standing, named) => placesWithin(listOf(value), readable(named)),
  'allow-kinds': word,
  'allow-tcp': only(isLoopbackRule),
  'allow-networks': whole,
  'allow-commands': unlessTrue,
  'allow-monitor': unlessTrue,
  'allow-monitor-commands': only((command) => command === 'safe'),
  'allow-debuggers': unlessTrue,
  'allow-devices': only(() => false),
  roms: (value, _standing, named) =>
    listOf(value).flatMap((place) => (place === 'own' ? place : placesWithin([place], readable(named)))),
  lock: word,
  'serial-links': unlessTrue,
  'log-level': whole,
  'max-machines': noMore,
  threads: noMore,
  'max-sessions': noMore,
  'max-streams': noMore,
  'max-connections': noMore,
  'max-rate': noMore,
  'max-body-bytes': noMore,
  'max-trace-bytes': noMore,
  'max-history-bytes': noMore,
  'max-annotations': noMore,
};

/** What a file that was found and not named may say to this command. `named`: what stands above it, the strongest first. */
export function restrictingPart(command: Command, file: Layer, named: readonly Named[]): Layer {
  if (!startedInProjects.includes(command) || file.sections === undefined) return file;
  const settings = new Map<OptionName, Setting>();
  const leftOut: string[] = [];
  for (const [name, setting] of file.settings) {
    if (named.some((layer) => layer.settings.has(name))) continue;
    const value = parts[name]?.(setting.value, defaultOf(name), named);
    if (value !== undefined) settings.set(name, { ...setting, value });
    if (!isWhole(setting.value, value)) leftOut.push(`"${name}"`);
  }
  leftOut.push(...[...file.sections.values.keys()].map((name) => `"${name}"`));
  return { ...file, settings, sections: { path: file.sections.path, values: new Map(), leftOut } };
}

/** For people: that something which the file says does not hold. */
export function leftOutTexts({ path, leftOut = [] }: RawSections): string[] {
  if (leftOut.length === 0) return [];
  const were = leftOut.length === 1 ? 'was' : 'were';
  return [
    `${path} was found here, not named, so it may only restrict what agents do: ${leftOut.join(', ')} ${were} not taken. ` +
      `If you trust the file, name it: --config ${path}`,
  ];
}

/** Places are taken by where they really lie. */
function isWhole(wanted: OptionValue, taken: OptionValue | undefined): boolean {
  if (taken === undefined) return false;
  const items = listOf(taken);
  return listOf(wanted).every((item) => items.includes(item) || items.some((place) => place === realPlace(item)));
}

/** Where agents may read without the file: what stands of --allow-path and --allow-read. */
function readable(named: readonly Named[]): string[] {
  return (['allow-path', 'allow-read'] as const).flatMap((name) => {
    const setting = named.map(({ settings }) => settings.get(name)).find((each) => each !== undefined);
    return listOf(setting?.value ?? defaultOf(name));
  });
}

/** What places have in common with folders, by where they really lie: what is not there yet could become a link that leads elsewhere. */
function placesWithin(places: readonly string[], folders: readonly string[]): string[] {
  const real = (paths: readonly string[]) => paths.map(realPlace).filter((path) => path !== undefined);
  const allowed = real(folders);
  const common = real(places).flatMap((place) => {
    if (allowed.some((folder) => isBelow(place, folder))) return [place];
    return allowed.filter((folder) => isBelow(folder, place));
  });
  return [...new Set(common)];
}

function realPlace(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function defaultOf(name: OptionName): OptionValue | undefined {
  return options.find((option) => option.name === name)?.default;
}

function listOf(value: OptionValue | undefined): readonly string[] {
  return typeof value === 'object' ? value : value === undefined ? [] : [String(value)];
}
