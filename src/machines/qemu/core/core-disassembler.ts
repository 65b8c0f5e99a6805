import { delimiter, resolve } from 'node:path';
import { ownValue } from '../../../formats/own-value.ts';
import { GdbClient } from '../../../links/gdb/gdb-client.ts';
import type { TargetRegister } from '../../../links/gdb/target-description.ts';
import { TiedProcess } from '../../../links/tied-process.ts';
import type { Host } from '../../../machine/host.ts';
import { valueToBytes } from '../debug/register-bytes.ts';
import { emulatorFor } from '../launch/emulators.ts';
import { inSandbox } from '../launch/launch.ts';
import { RuntimePaths } from '../launch/runtime-paths.ts';
import { movedText } from './moved-text.ts';

const patienceMs = 20_000;
const memoryMib = 4;
/** Code lies there as it lay in the guest, as far as 20 bits of its address go. */
const [place, placeMask] = [0x200000n, 0xfffffn];
const lineForm = /^0x([0-9a-f]{1,16}):(.*)$/;

const pc = ['-M', 'pc'];
const machines: Readonly<Record<string, readonly string[]>> = {
  x86_64: pc,
  i386: pc,
  aarch64: ['-M', 'none', '-cpu', 'max'],
  arm: ['-M', 'none', '-cpu', 'max'],
  riscv64: ['-M', 'none', '-cpu', 'rv64'],
  riscv32: ['-M', 'none', '-cpu', 'rv32'],
};

/** Descriptors of code with 64, 32 and 16 bits, and tables that map the first gigabyte as it is. */
const x86Tables: readonly (readonly [at: bigint, hex: string])[] = [
  [0n, '0000000000000000ffff0000009baf00ffff0000009bcf00ffff0000009b8f00'],
  [0x1000n, '0320000000000000'],
  [0x2000n, '8300000000000000'],
];
const x86Selectors: Readonly<Record<string, bigint>> = { '64': 8n, '32': 16n, '16': 24n };
const [supervisor, thumb] = [0x1d3n, 0x20n];

export interface Disassembler extends AsyncDisposable {
  /** As the monitor writes it; `mode` says how the processor decodes. */
  listing(address: bigint, code: Uint8Array, count: number, mode: string): Promise<string>;
}

/**
 * Instructions of a core file in words: an empty QEMU of the same kind, whose processor never runs, is given the code to
 * look at. Started when first asked; ends with the machine.
 */
export class CoreDisassembler implements Disassembler {
  readonly #arch: string;
  readonly #host: Host;
  #helper: Promise<Helper> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(arch: string, host: Host) {
    this.#arch = arch;
    this.#host = host;
  }

  listing(address: bigint, code: Uint8Array, count: number, mode: string): Promise<string> {
    const listed = this.#last.then(() => this.#listing(address, code, count, mode));
    this.#last = listed.catch(() => undefined);
    return listed;
  }

  async #listing(address: bigint, code: Uint8Array, count: number, mode: string): Promise<string> {
    try {
      this.#helper ??= startHelper(this.#arch, this.#host);
      return await this.#lines(await this.#helper, address, code, count, mode);
    } catch (error) {
      await this[Symbol.asyncDispose]();
      const why = error instanceof Error ? error.message : String(error);
      return `instructions are not supported without a QEMU of this kind (${why.slice(0, 80)})`;
    }
  }

  async #lines(helper: Helper, address: bigint, code: Uint8Array, count: number, mode: string): Promise<string> {
    await helper.decodeAs(mode);
    const at = place | (address & placeMask);
    await helper.gdb.writeMemory(at, code);
    const text = await helper.gdb.monitor(`xp/${count}i 0x${at.toString(16)}`);
    const lines: string[] = [];
    for (const line of text.split('\n')) {
      const [, digits, rest = ''] = lineForm.exec(line.trimEnd()) ?? [];
      if (digits === undefined) continue;
      const offset = BigInt(`0x${digits}`) - at;
      if (offset < 0n || offset >= BigInt(code.length)) break;
      lines.push(`0x${(address + offset).toString(16)}:${movedText(this.#arch, mode, rest, address - at)}`);
    }
    return lines.join('\n');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const starting = this.#helper;
    this.#helper = undefined;
    const helper = await starting?.catch(() => undefined);
    await helper?.end();
  }
}

class Helper {
  readonly gdb: GdbClient;
  readonly #process: TiedProcess;
  readonly #paths: RuntimePaths;
  #mode = '';

  constructor(gdb: GdbClient, process: TiedProcess, paths: RuntimePaths) {
    this.gdb = gdb;
    this.#process = process;
    this.#paths = paths;
  }

  async prepare(): Promise<void> {
    await this.gdb.physicalAddresses(true);
    if (!this.#register('eflags')) return;
    for (const [at, hex] of x86Tables) await this.gdb.writeMemory(at, Buffer.from(hex, 'hex'));
    const isWide = this.#register('rax') !== undefined;
    const settings: readonly (readonly [string, bigint])[] = isWide
      ? [
          ['cr3', 0x1000n],
          ['cr4', 0x20n],
          ['efer', 0x100n],
          ['cr0', 0x80000011n],
        ]
      : [['cr0', 0x11n]];
    for (const [name, value] of settings) await this.#set(name, value);
  }

  async decodeAs(mode: string): Promise<void> {
    if (mode === this.#mode) return;
    const selector = x86Selectors[mode];
    if (this.#register('eflags') && selector !== undefined) await this.#set('cs', selector);
    else if (this.#register('r15') ?? this.#register('r12')) {
      await this.#set('cpsr', mode === 'thumb' ? supervisor | thumb : supervisor);
    }
    this.#mode = mode;
  }

  #register(name: string): TargetRegister | undefined {
    return this.gdb.description.registers.find((each) => each.name === name);
  }

  async #set(name: string, value: bigint): Promise<void> {
    const register = this.#register(name);
    if (register) await this.gdb.writeRegister(register.number, valueToBytes(value, register.bits / 8, false));
  }

  async end(): Promise<void> {
    this.gdb.close();
    await this.#process.kill();
    await this.#paths[Symbol.asyncDispose]();
  }
}

async function startHelper(arch: string, host: Host): Promise<Helper> {
  const machine = ownValue(machines, arch);
  if (!machine) throw new Error(`the instructions of ${arch} are not known`);
  const { environment, qemuFolders = [] } = host.settings;
  const searchPath = [...qemuFolders, environment.PATH ?? process.env.PATH ?? ''].join(delimiter);
  const program = resolve(await emulatorFor(arch, searchPath));
  const paths = await RuntimePaths.create(host.runtimeDir, undefined);
  const fixed = [...machine, '-m', String(memoryMib), '-nodefaults', '-display', 'none', '-monitor', 'none', '-S'];
  const args = [...fixed, '-gdb', `unix:path=${paths.gdb},server=on,wait=off`];
  const env = { PATH: searchPath, TZ: 'UTC' };
  try {
    return await inSandbox(program, async (sandbox) => {
      const running = await TiedProcess.start({
        program,
        args: [...sandbox, ...args],
        env,
        cwd: paths.folder,
        guard: (pid) => host.guardProcessGroup(pid),
      });
      return connected(running, paths, host.signal);
    });
  } catch (error) {
    await paths[Symbol.asyncDispose]();
    throw error;
  }
}

async function connected(running: TiedProcess, paths: RuntimePaths, signal: AbortSignal): Promise<Helper> {
  const gone = new AbortController();
  void running.ended.then(() => gone.abort());
  try {
    const both = AbortSignal.any([signal, gone.signal]);
    const gdb = await GdbClient.connect(paths.gdb, { timeoutMs: patienceMs, signal: both });
    const helper = new Helper(gdb, running, paths);
    await helper.prepare();
    return helper;
  } catch (error) {
    const said = running.complaints;
    await running.kill();
    throw said === '' ? error : new Error(said.slice(-200), { cause: error });
  }
}
