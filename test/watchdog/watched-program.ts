import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { program, type Sandbox } from '../support/sandbox.ts';

const observer = new URL('./turn-watch.js', import.meta.url);

/** The program with an observer of its event loop, and what that has noted. */
export class WatchedProgram {
  readonly child: ChildProcessWithoutNullStreams;
  readonly #notes: string;

  constructor(sandbox: Sandbox, args: readonly string[]) {
    this.#notes = join(sandbox.dir, 'turns');
    closeSync(openSync(this.#notes, 'w'));
    const env = { FRONTPANEL_TURNS: this.#notes };
    this.child = sandbox.spawnNode(['--import', fileURLToPath(observer), program, ...args], {
      env,
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** To be given to `longestTurnMs` later. */
  get position(): number {
    return this.#read(0).length;
  }

  /** The longest turn since then, in milliseconds of the main thread's own processor time; 0 if all were short. */
  longestTurnMs(since: number): number {
    return Math.max(0, ...this.#read(since).split('\n').map(Number));
  }

  #read(from: number): string {
    const file = openSync(this.#notes, 'r');
    try {
      const text = Buffer.alloc(Math.max(0, fstatSync(file).size - from));
      return text.toString('latin1', 0, readSync(file, text, 0, text.length, from));
    } finally {
      closeSync(file);
    }
  }
}
