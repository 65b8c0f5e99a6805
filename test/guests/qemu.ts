import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A machine under QEMU whose serial line is a TCP port; it waits with everything until somebody is connected. */
export class Qemu implements AsyncDisposable {
  readonly #child: ChildProcess;

  static start(program: string, port: number, args: readonly string[]): Qemu {
    const serial = `tcp:127.0.0.1:${port},server=on,wait=on,nodelay=on`;
    const common = ['-accel', 'tcg', '-nodefaults', '-display', 'none', '-no-reboot', '-serial', serial];
    const child = spawn(program, [...common, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    // Its ordinary chatter is of no interest; what it says when it gives up is.
    child.once('exit', (code) => {
      if (code) console.error(said);
    });
    return new Qemu(child);
  }

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** The power cord is pulled. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}

/** A port that nobody used a moment ago. */
export { freePort } from '../support/free-port.ts';
