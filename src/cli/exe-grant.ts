import { realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { UsageError } from './usage-error.ts';

/** What the user allows by naming a program on the command line: reading it and its folder, and nothing else. */
export class ExeGrant {
  readonly program: string;
  readonly #folder: string;

  private constructor(program: string) {
    this.program = program;
    this.#folder = dirname(program);
  }

  static async of(exe: string): Promise<ExeGrant> {
    const isFile = await stat(exe).then(
      (found) => found.isFile(),
      () => false,
    );
    if (!isFile)
      throw new UsageError([`frontpanel: --exe ${exe}: there is no such file. Give a COM, EXE or BAT file.`]);
    return new ExeGrant(await realpath(exe));
  }

  /** The path without links, where it is one of the two. */
  async path(path: string, use: 'read' | 'write'): Promise<string | undefined> {
    if (use !== 'read' || path === '' || path.includes('\0')) return undefined;
    const real = await realpath(resolve(path)).catch(() => undefined);
    return real === this.program || real === this.#folder ? real : undefined;
  }
}
