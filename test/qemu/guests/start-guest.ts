import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { QmpClient } from '../../../src/links/qmp/qmp-client.ts';
import { image as aarch64 } from './aarch64.ts';
import { image as aarch64Paged } from './aarch64-paged.ts';
import { image as aarch64Smp } from './aarch64-smp.ts';
import { image as arm } from './arm.ts';
import { image as cortexM } from './cortex-m.ts';
import { image as riscv64 } from './riscv64.ts';
import { image as riscv64Paged } from './riscv64-paged.ts';
import { image as riscv64Smp } from './riscv64-smp.ts';
import { image as x86Calls } from './x86-calls.ts';
import { image as x86Long } from './x86-long.ts';
import { image as x86Real } from './x86-real.ts';
import { image as x86Smp } from './x86-smp.ts';

/** Our own programs, each with the emulator it is for and how it is given its image. */
const guests = {
  riscv64: { arch: 'riscv64', image: riscv64, args: (file: string) => ['-M', 'virt', '-m', '16', '-bios', file] },
  riscv64Paged: {
    arch: 'riscv64',
    image: riscv64Paged,
    args: (file: string) => ['-M', 'virt', '-m', '16', '-bios', file],
  },
  aarch64: {
    arch: 'aarch64',
    image: aarch64,
    args: (file: string) => ['-M', 'virt', '-cpu', 'cortex-a57', '-m', '32', '-kernel', file],
  },
  aarch64Paged: {
    arch: 'aarch64',
    image: aarch64Paged,
    args: (file: string) => ['-M', 'virt', '-cpu', 'cortex-a57', '-m', '32', '-kernel', file],
  },
  arm: {
    arch: 'arm',
    image: arm,
    args: (file: string) => ['-M', 'virt', '-cpu', 'cortex-a15', '-m', '32', '-kernel', file],
  },
  x86Long: { arch: 'x86_64', image: x86Long, args: floppy },
  x86Real: { arch: 'x86_64', image: x86Real, args: floppy },
  riscv64Smp: { arch: 'riscv64', image: riscv64Smp, args: (file: string) => ['-M', 'virt', '-m', '16', '-bios', file] },
  aarch64Smp: {
    arch: 'aarch64',
    image: aarch64Smp,
    args: (file: string) => ['-M', 'virt', '-cpu', 'cortex-a57', '-m', '32', '-kernel', file],
  },
  x86Smp: { arch: 'x86_64', image: x86Smp, args: floppy },
  i386Real: { arch: 'i386', image: x86Real, args: floppy },
  // A program of 32 bits, under both emulators.
  callsI386: { arch: 'i386', image: x86Calls, args: (file: string) => ['-m', '16', '-kernel', file] },
  callsX64: { arch: 'x86_64', image: x86Calls, args: (file: string) => ['-m', '16', '-kernel', file] },
  cortexM: { arch: 'arm', image: cortexM, args: (file: string) => ['-M', 'lm3s6965evb', '-kernel', file] },
  // With nothing but their firmware, if that.
  alpha: { arch: 'alpha', image: new Uint8Array(), args: () => [] },
  avr: { arch: 'avr', image: new Uint8Array(), args: () => ['-M', 'uno'] },
  mips: { arch: 'mips', image: new Uint8Array(), args: () => ['-M', 'malta'] },
  or1k: { arch: 'or1k', image: new Uint8Array(), args: () => [] },
  ppc64: { arch: 'ppc64', image: new Uint8Array(), args: () => ['-M', 'pseries', '-m', '256'] },
  s390x: { arch: 's390x', image: new Uint8Array(), args: () => [] },
  sh4: { arch: 'sh4', image: new Uint8Array(), args: () => ['-M', 'r2d'] },
  sparc: { arch: 'sparc', image: new Uint8Array(), args: () => [] },
  xtensa: { arch: 'xtensa', image: new Uint8Array(), args: () => [] },
} as const;

export type GuestName = keyof typeof guests;

/** Whether there is an emulator for it on this computer. */
export async function isInstalled(name: GuestName): Promise<boolean> {
  return promisify(execFile)(`qemu-system-${guests[name].arch}`, ['--version']).then(
    () => true,
    () => false,
  );
}

/** A QEMU with one of them, stopped before its first instruction. */
export class Guest implements AsyncDisposable {
  readonly arch: string;
  readonly directory: string;
  readonly qmp: QmpClient;
  readonly process: ChildProcess;
  readonly #serial: Socket;
  #output = '';

  /** In the arguments, `{dir}` stands for a directory that lives as long as the guest. */
  static async start(name: GuestName, args: readonly string[] = []): Promise<Guest> {
    const { arch, image, args: own } = guests[name];
    const directory = await mkdtemp(join(tmpdir(), 'fpq-'));
    const disk = join(directory, 'state.qcow2');
    if (args.some((each) => each.includes('{dir}/state.qcow2'))) await makeStateDisk(disk);
    const file = join(directory, 'image');
    await writeFile(file, image);
    const qemu = [
      `qemu-system-${arch}`,
      ...['-S', '-nodefaults', '-display', 'none', '-accel', 'tcg'],
      ...['-qmp', `unix:${directory}/q,server=on,wait=off`],
      ...['-gdb', `unix:path=${directory}/g,server=on,wait=off`],
      ...['-chardev', `socket,id=s,path=${directory}/s,server=on,wait=off`, '-serial', 'chardev:s'],
      ...own(file),
      ...args.map((each) => each.replace('{dir}', directory)),
    ];
    const child = spawn('setpriv', ['--pdeathsig', 'KILL', '--', ...qemu], { stdio: ['ignore', 'ignore', 'pipe'] });
    let complaint = '';
    child.stderr.on('data', (chunk) => {
      complaint += chunk;
    });
    try {
      const gone = once(child, 'exit').then(() => Promise.reject(new Error(`QEMU ended: ${complaint}`)));
      const qmp = await Promise.race([QmpClient.connect(`${directory}/q`, { timeoutMs: 60_000 }), gone]);
      gone.catch(() => undefined);
      return new Guest(arch, directory, child, qmp, connect(`${directory}/s`));
    } catch (error) {
      child.kill('SIGKILL');
      await rm(directory, { recursive: true, force: true });
      throw error;
    }
  }

  private constructor(arch: string, directory: string, child: ChildProcess, qmp: QmpClient, serial: Socket) {
    this.arch = arch;
    this.directory = directory;
    this.process = child;
    this.qmp = qmp;
    this.#serial = serial;
    serial.on('data', (chunk) => {
      this.#output += chunk;
    });
    serial.on('error', () => {});
  }

  get gdbPath(): string {
    return `${this.directory}/g`;
  }

  /** Waits for text on the serial port. */
  async prints(text: string): Promise<void> {
    const end = performance.now() + 60_000;
    while (!this.#output.includes(text)) {
      if (performance.now() > end) throw new Error(`no ${text} in ${JSON.stringify(this.#output.slice(-200))}`);
      await setTimeout(5);
    }
  }

  /** Types on the serial port; guests echo it, one byte at a time. */
  send(text: string): void {
    this.#serial.write(text);
  }

  async status(): Promise<string> {
    return String(Reflect.get(Object(await this.qmp.execute('query-status')), 'status'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.qmp.close();
    this.#serial.destroy();
    if (this.process.exitCode === null && this.process.signalCode === null) {
      this.process.kill('SIGKILL');
      await once(this.process, 'exit');
    }
    await rm(this.directory, { recursive: true, force: true });
  }
}

/** An empty disk that snapshots can be kept in. */
export async function makeStateDisk(path: string): Promise<void> {
  await promisify(execFile)('qemu-img', ['create', '-q', '-f', 'qcow2', path, '64M']);
}

function floppy(file: string): string[] {
  return ['-m', '16', '-vga', 'std', '-drive', `if=floppy,format=raw,file=${file}`];
}
