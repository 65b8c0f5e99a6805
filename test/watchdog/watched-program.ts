import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { program, type Sandbox } from '../support/sandbox.ts';

/** What the observer's yardstick takes on the computer on which limits were set, in milliseconds. */
const usualYardstickMs = 11;
/** A computer that is slower than this is none to measure on. */
const mostSlowness = 4;

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

  /**
   * The longest turn since then, in milliseconds of the main thread's own processor time, as they would be on the computer on
   * which limits were set if this one is slower; 0 if all were short.
   */
  longestTurnMs(since: number): number {
    const turns = this.#read(since).split('\n').map(Number).filter(Number.isFinite);
    return Math.max(0, ...turns) / this.#slowness();
  }

  #slowness(): number {
    const yardstickMs = Number(/^yardstick (\S+)$/m.exec(this.#read(0))?.[1]);
    if (!Number.isFinite(yardstickMs)) throw new Error('the observer has not written down its yardstick');
    return Math.min(mostSlowness, Math.max(1, yardstickMs / usualYardstickMs));
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
