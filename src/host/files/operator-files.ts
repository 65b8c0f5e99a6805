import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';

export interface OperatorPlaces {
  /** Files and folders by their paths, whether they are there by now or not. */
  readonly paths: readonly string[];
  /** Logs, which have older ones beside them: `FILE.1`. */
  readonly logs: readonly string[];
  /** Names that mean something wherever a server is started. */
  readonly names: readonly string[];
}

/**
 * What belongs to whoever runs the server, although it may lie in a folder that agents may use: its configuration, tokens,
 * keys, logs. Agents neither read nor write, replace nor move it.
 */
export class OperatorFiles {
  static readonly none = new OperatorFiles({ paths: [], logs: [], names: [] });
  readonly #paths: ReadonlySet<string>;
  readonly #logs: ReadonlySet<string>;
  readonly #names: ReadonlySet<string>;

  constructor({ paths, logs, names }: OperatorPlaces) {
    this.#paths = new Set([...paths, ...logs].flatMap(placesOf));
    this.#logs = new Set(logs.flatMap(placesOf));
    this.#names = new Set(names.map(comparable));
  }

  /** `path` is one without links. */
  includes(path: string): boolean {
    const place = comparable(path);
    const [, log = ''] = /^(.*)\.\d+$/.exec(place) ?? [];
    return this.#paths.has(place) || this.#logs.has(log) || this.#names.has(basename(place));
  }

  /** Those at or below a folder whose path has no links, whether they are there by now or not. */
  below(folder: string): readonly string[] {
    const start = comparable(folder.endsWith(sep) ? folder : folder + sep);
    return [...this.#paths].filter((path) => path.startsWith(start) || path + sep === start);
  }
}

/** Where it is by its name, and where a link of that name leads. */
function placesOf(path: string): string[] {
  const full = resolve(path);
  const named = join(real(dirname(full)), basename(full));
  return [...new Set([named, real(full)])].map(comparable);
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // What is not there yet has no links in its last part; what lies above it may have.
    const parent = dirname(path);
    return parent === path ? path : join(real(parent), basename(path));
  }
}

/** Most file systems of these computers do not tell capital letters from small ones. */
function comparable(path: string): string {
  return process.platform === 'darwin' || process.platform === 'win32' ? path.toLowerCase() : path;
}
