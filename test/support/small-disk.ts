import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';

export const mayMount = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

/** A disk of some kilobytes, if this user may make one. */
export class SmallDisk implements Disposable {
  readonly folder: string;

  constructor(parent: string, size: string) {
    this.folder = join(parent, `small-${size}`);
    mkdirSync(this.folder);
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'small', this.folder]);
  }

  /** But for so many kilobytes. */
  fill(kilobytes = 0): void {
    const path = join(this.folder, 'ballast');
    expect(() => writeFileSync(path, new Uint8Array(8_000_000))).toThrow('ENOSPC');
    truncateSync(path, statSync(path).size - kilobytes * 1024);
  }

  free(): void {
    rmSync(join(this.folder, 'ballast'));
  }

  [Symbol.dispose](): void {
    execFileSync('umount', ['-l', this.folder]);
  }
}
