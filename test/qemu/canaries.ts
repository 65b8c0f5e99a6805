import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const names = ['secret.img', 'secret.qcow2', 'key', 'existing.bin'];
const opened = new Date('2001-01-01T00:00:00Z');
const written = new Date('2002-02-02T00:00:00Z');

/**
 * Files and a socket outside every folder that an agent may use. Whoever reads, writes, makes or connects to anything
 * there leaves a trace: reading moves the time of access, since that is older than the time of writing.
 */
export class Canaries implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'fp-out-'));
  readonly inside = join(this.folder, 'inside');
  readonly #server: Server;
  #visits = 0;
  readonly #before: ReadonlyMap<string, string>;
  readonly #sums: ReadonlyMap<string, string>;

  constructor() {
    mkdirSync(this.inside);
    for (const name of names) {
      writeFileSync(join(this.folder, name), `never to be seen: ${name}\n`.repeat(64));
      utimesSync(join(this.folder, name), opened, written);
    }
    this.#server = createServer((socket) => {
      this.#visits++;
      socket.destroy();
    }).listen(this.socket);
    this.#sums = this.#contents();
    // Looking at them has moved their times.
    for (const name of names) utimesSync(join(this.folder, name), opened, written);
    this.#before = this.#marks();
  }

  get files(): readonly string[] {
    return names.map((name) => join(this.folder, name));
  }

  get socket(): string {
    return join(this.inside, 'socket');
  }

  /** Paths that lead there, as people who want to get there write them. */
  get ways(): readonly string[] {
    const [image = '', qcow2 = '', key = ''] = this.files;
    const fresh = join(this.folder, 'made');
    return [
      ...[image, fresh, `file:${key}`, `..${'/..'.repeat(12)}${key}`, `json:{"driver":"file","filename":"${qcow2}"}`],
      ...[`unix:${this.socket}`, `nbd:unix:${this.socket}`, `exec:cat ${key} > ${fresh}`, `fd:3`, '/dev/fdset/1'],
    ];
  }

  /** What has happened to them; without reading, which would itself leave a trace. */
  traces(pid?: number): string[] {
    const now = this.#marks();
    const changed = [...new Set([...this.#before.keys(), ...now.keys()])].filter(
      (name) => this.#before.get(name) !== now.get(name),
    );
    const open = pid === undefined ? [] : openFiles(pid).filter((path) => path.startsWith(this.folder));
    return [...changed, ...open, ...(this.#visits > 0 ? ['the socket was visited'] : [])];
  }

  /** At the end: nothing reads this way anymore. */
  get unread(): boolean {
    return [...this.#contents()].every(([name, sum]) => this.#sums.get(name) === sum);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise((resolve) => this.#server.close(resolve));
    rmSync(this.folder, { recursive: true, force: true });
  }

  #marks(): Map<string, string> {
    const paths = readdirSync(this.folder).map((name) => join(this.folder, name));
    return new Map(
      [...paths, ...readdirSync(this.inside).map((name) => join(this.inside, name))]
        .filter((path) => path !== this.inside)
        .map((path) => {
          const { ino, size, mode, mtimeMs, ctimeMs, atimeMs } = statSync(path);
          return [path, [ino, size, mode, mtimeMs, ctimeMs, atimeMs].join(' ')];
        }),
    );
  }

  #contents(): Map<string, string> {
    return new Map(this.files.map((path) => [path, createHash('sha256').update(readFileSync(path)).digest('hex')]));
  }
}

function openFiles(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
      } catch {
        return [];
      }
    });
  } catch {
    return [];
  }
}
