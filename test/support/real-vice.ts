import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { c64Roms } from '../../src/machines/commodore/roms/c64-roms.generated.ts';
import { BinmonClient } from './binmon-client.ts';
import { freePort } from './free-port.ts';

export const hasVice = spawnSync('sh', ['-c', 'command -v x64sc']).status === 0;

/** A real VICE with our own ROMs to which nobody has connected yet; both of its monitors listen. */
export async function bareVice(dir: string, program = 'x64sc') {
  const [binmonPort, textPort] = [await freePort(), await freePort()];
  const { DISPLAY: _, WAYLAND_DISPLAY: __, ...env } = process.env;
  const child = spawn(
    program,
    [
      ...['-default', '-console', ...romArguments(dir), '-drive8type', '0', '+sound', '-warp'],
      ...['-binarymonitor', '-binarymonitoraddress', `ip4://127.0.0.1:${binmonPort}`],
      ...['-remotemonitor', '-remotemonitoraddress', `ip4://127.0.0.1:${textPort}`],
    ],
    { stdio: 'ignore', env: { ...env, HOME: dir } },
  );
  for (let tries = 0; tries < 1200 && !(await listens(textPort)); tries++) await delay(50);
  return { child, binmonPort, textPort };
}

/** Asked without a connection: it would be the only one that a monitor takes. */
async function listens(port: number): Promise<boolean> {
  const found = spawnSync('sh', [
    '-c',
    `grep -qi ":${port.toString(16).padStart(4, '0')} 00000000:0000 0A" /proc/net/tcp`,
  ]);
  return found.status === 0;
}

function romArguments(dir: string): string[] {
  const rom = (name: string, bytes: Uint8Array) => {
    writeFileSync(join(dir, name), bytes);
    return join(dir, name);
  };
  const { kernal, basic, chargen } = c64Roms;
  return ['-kernal', rom('k', kernal), '-basic', rom('b', basic), '-chargen', rom('c', chargen)];
}

/** A real VICE with our own ROMs, and a client at its monitor. */
export class RealVice implements AsyncDisposable {
  readonly client: BinmonClient;
  readonly #child: ChildProcess;

  static async start(dir: string, program = 'x64sc'): Promise<RealVice> {
    const port = await freePort();
    const roms = romArguments(dir);
    const { DISPLAY: _, WAYLAND_DISPLAY: __, ...env } = process.env;
    const child = spawn(
      program,
      [
        ...['-default', '-console', ...roms, '-drive8type', '0', '+sound', '-warp'],
        ...['-binarymonitor', '-binarymonitoraddress', `ip4://127.0.0.1:${port}`],
      ],
      { stdio: 'ignore', env: { ...env, HOME: dir } },
    );
    for (let tries = 0; ; tries++) {
      try {
        return new RealVice(child, await BinmonClient.open(port));
      } catch (error) {
        if (child.exitCode !== null || tries > 1200)
          throw new Error(`${program} ended with ${child.exitCode}: ${error}`);
        await delay(50);
      }
    }
  }

  private constructor(child: ChildProcess, client: BinmonClient) {
    this.#child = child;
    this.client = client;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.client[Symbol.dispose]();
    if (this.#child.exitCode !== null) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }
}
