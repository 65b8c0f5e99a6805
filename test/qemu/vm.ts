import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import { outcomeText } from '../../src/api/outcome-text.ts';
import type { ConsolePort } from '../../src/machine/console.ts';
import type { MachineEvent } from '../../src/machine/events.ts';
import { qemuKind } from '../../src/machines/qemu/qemu-kind.ts';
import { QemuMachine } from '../../src/machines/qemu/qemu-machine.ts';
import type { Rack, RackServices } from '../../src/rack/rack.ts';
import { Confirmations } from '../../src/tools/confirmations.ts';
import { tools } from '../../src/tools/index.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { makeRack } from '../make-rack.ts';

export const uBoot = {
  x86: { arch: 'i386', memory: 128, bios: '/usr/lib/u-boot/qemu-x86/u-boot.rom' },
  riscv64: { arch: 'riscv64', memory: 128, bios: '/usr/lib/u-boot/qemu-riscv64/u-boot.bin' },
} as const;

/** Of a server whose agents may not run programs. */
export const restrictedSettings = {
  terminal: 'auto',
  serialLinks: false,
  allowCommands: false,
  lock: undefined,
  maxAnnotations: 1000,
  romFolders: [],
  environment: {},
  selfCommand: [],
};

/** A rack of virtual machines with a folder for images; both are gone at the end. */
export class Lab implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'fp-lab-'));
  readonly rack: Rack;

  constructor(services: Partial<RackServices> = {}) {
    this.rack = makeRack([qemuKind], {}, services);
  }

  async start(options: Readonly<Record<string, unknown>>, name?: string): Promise<Vm> {
    const { machine, handle } = await this.rack.start('qemu', options, name);
    if (!(machine instanceof QemuMachine)) throw new Error('not a QEMU machine');
    return new Vm(machine, handle, this.rack);
  }

  /** The text of a tool's answer, as an agent gets it. */
  async call(tool: string, args: Record<string, unknown> = {}): Promise<string> {
    const bugs: unknown[] = [];
    const toolbox = new Toolbox(tools, ['all'], this.rack, new Confirmations(false, () => ''), (bug) => bugs.push(bug));
    const caller = { client: 'test', role: 'own' as const, signal: new AbortController().signal, progress: () => {} };
    const text = outcomeText(await toolbox.call(tool, args, caller));
    expect(bugs).toEqual([]);
    return text;
  }

  /** Why a start is refused, and what is said to help. */
  async refusal(options: Readonly<Record<string, unknown>>): Promise<{ type: string; message: string; fix: string }> {
    const error: unknown = await this.rack.start('qemu', options).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'MachineError' });
    return { type: textOf(error, 'type'), message: textOf(error, 'message'), fix: textOf(error, 'fix') };
  }

  file(name: string, bytes: Uint8Array | string): string {
    const path = join(this.folder, name);
    writeFileSync(path, bytes);
    return path;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.rack.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export class Vm {
  readonly machine: QemuMachine;
  readonly handle: string;
  readonly rack: Rack;
  readonly #firstEvent: number;

  constructor(machine: QemuMachine, handle: string, rack: Rack) {
    this.machine = machine;
    this.handle = handle;
    this.rack = rack;
    // Handles are used again.
    this.#firstEvent = rack.events.read(0, { machine: handle, types: ['machine_started'] }).events.at(-1)?.seq ?? 0;
  }

  get port(): ConsolePort {
    const [port] = this.machine.console.ports;
    if (!port) throw new Error('no console');
    return port;
  }

  output(port = this.port): string {
    return Buffer.from(port.output.read(0, 10_000_000).bytes).toString('latin1');
  }

  async send(text: string, port = this.port): Promise<void> {
    await port.write(Buffer.from(text), { mode: 'buffered' });
  }

  /** Waits for what the console prints behind `from`. */
  async printed(pattern: RegExp, { from = 0, timeoutMs = 90_000, port = this.port } = {}): Promise<string> {
    const end = performance.now() + timeoutMs;
    for (;;) {
      const output = this.output(port).slice(from);
      if (pattern.test(output)) return output;
      if (performance.now() > end) throw new Error(`${pattern} was not printed: ${output.slice(-500)}`);
      await setTimeout(10);
    }
  }

  /** Sends a line and waits for what it prints. */
  async ask(line: string, pattern: RegExp, timeoutMs = 90_000): Promise<string> {
    const from = this.output().length;
    await this.send(`${line}\r`);
    return this.printed(pattern, { from, timeoutMs });
  }

  /**
   * Lets U-Boot come to its countdown and answers with what it printed since. On a PC it hangs now and then in its call of the
   * display's ROM, in a bare QEMU too: then it is reset.
   */
  async uBootCounting(reset?: 'soft' | 'hard'): Promise<string> {
    let from = reset ? this.output().length : 0;
    if (reset) await this.machine.control.reset(reset);
    for (let tries = 1; ; tries++) {
      const counted = this.printed(/Hit any key/, { from, timeoutMs: tries * 20_000 });
      const output = await counted.catch((error: unknown) => retried(error, tries));
      if (output !== undefined) return output;
      from = this.output().length;
      await this.machine.control.reset(reset ?? 'soft');
    }
  }

  async uBootPrompt(reset?: 'soft' | 'hard'): Promise<void> {
    await this.uBootCounting(reset);
    await this.ask('', /=> /);
  }

  async until(what: string, condition: () => boolean | Promise<boolean>, timeoutMs = 90_000): Promise<void> {
    const end = performance.now() + timeoutMs;
    while (!(await condition())) {
      if (performance.now() > end) throw new Error(`${what} did not come: ${JSON.stringify(this.machine.status())}`);
      await setTimeout(10);
    }
  }

  events(...types: readonly string[]): readonly MachineEvent[] {
    return this.rack.events.read(this.#firstEvent, { machine: this.handle, types }).events;
  }
}

function retried(error: unknown, tries: number): undefined {
  if (tries === 4) throw error;
}

function textOf(error: unknown, name: string): string {
  return String(Reflect.get(Object(error), name));
}
