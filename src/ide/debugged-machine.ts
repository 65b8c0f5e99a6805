import { randomUUID } from 'node:crypto';
import type { Actor, Role } from '../api/roles.ts';
import type { Caller, MachineSummary, ToolHost } from '../api/tool-host.ts';
import { hex0x } from '../formats/hex.ts';
import { MachineError } from '../machine/errors.ts';

export type Data = Readonly<Record<string, unknown>>;

/** Who debugs, as the journal and the state line name them. */
export interface Debugger {
  /** `gdb`, `dap`. */
  readonly protocol: string;
  /** `127.0.0.1:40000`, or `stdio`. */
  readonly address: string;
  readonly role: Role;
}

/** Of a stop, what debuggers tell people. */
export interface SeenStop {
  readonly seq: number;
  readonly reason: string;
  readonly cause: 'breakpoint' | 'step' | 'halt' | 'fault' | 'limit';
  readonly breakpoint?: { readonly id: number; readonly type: string };
  readonly event?: { readonly access?: { readonly kind: string; readonly address: number | string } };
}

/** Tools that look at one processor. */
const ofProcessor: ReadonlySet<string> = new Set([
  'frames_read',
  'processor_read',
  'bytes_read',
  'variables_read',
  'variable_read',
]);

/** A machine as a person's debugger has it: what it does goes through the same door, and under the same rules, as what agents do. */
export class DebuggedMachine {
  readonly handle: string;
  readonly #host: ToolHost;
  readonly #who: Debugger;
  readonly #leave: () => void;
  readonly #over = new AbortController();
  /** Two that came to different gateways may have the same address there. */
  readonly #person = randomUUID();
  #hasTaken = false;
  /** The processor that is looked at; the machine's own, or the selected one, unless told. */
  cpu: string | undefined;

  /** Undefined where there is no such machine. */
  static attach(host: ToolHost, handle: string, who: Debugger): DebuggedMachine | undefined {
    const leave = host.visit(handle, nameOf(who));
    return leave && new DebuggedMachine(host, handle, who, leave);
  }

  /** A new machine; the answer has its handle as `machine`. */
  static async start(host: ToolHost, args: Data, who: Debugger): Promise<{ readonly machine: string }> {
    const outcome = await host.call('machine_start', args, callerOf(who, new AbortController().signal));
    if (outcome.type === 'error') throw outcome.error;
    if (outcome.type === 'answer') return { machine: String(outcome.answer.data?.machine) };
    throw new MachineError('DENIED', outcome.question, 'Agree first.');
  }

  private constructor(host: ToolHost, handle: string, who: Debugger, leave: () => void) {
    this.#host = host;
    this.handle = handle;
    this.#who = who;
    this.#leave = leave;
  }

  get summary(): MachineSummary | undefined {
    return this.#host.machines().find(({ handle }) => handle === this.handle);
  }

  get isRunning(): boolean {
    return this.summary?.state === 'RUNNING';
  }

  /** The data of a tool's answer. */
  async call(tool: string, args: Data = {}, signal: AbortSignal = this.#over.signal): Promise<Data> {
    return (await this.answer(tool, args, signal)).data;
  }

  async answer(
    tool: string,
    args: Data = {},
    signal: AbortSignal = this.#over.signal,
  ): Promise<{ readonly text: string; readonly data: Data }> {
    // While it holds the machine it acts as the person who does; otherwise as one of those who use it.
    const caller = { ...callerOf(this.#who, signal), ...(this.#hasTaken && { person: this.#person }) };
    const seen = this.cpu !== undefined && ofProcessor.has(tool) ? { cpu: this.cpu } : {};
    const outcome = await this.#host.call(tool, { machine: this.handle, ...seen, ...args }, caller);
    if (outcome.type === 'answer') return { text: outcome.answer.text, data: outcome.answer.data ?? {} };
    if (outcome.type === 'error') throw outcome.error;
    throw new MachineError('DENIED', outcome.question, 'Agree first.');
  }

  /** By their names in capitals. */
  async registers(): Promise<ReadonlyMap<string, bigint>> {
    const { registers } = await this.call('processor_read');
    return new Map(Object.entries(Object(registers)).map(([name, value]) => [name.toUpperCase(), wide(value)]));
  }

  async read(address: bigint, length: number): Promise<Uint8Array> {
    const { bytes } = await this.call('bytes_read', { address: hex0x(address), length });
    return Buffer.from(String(bytes), 'hex');
  }

  async write(address: bigint, bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; at += 4096) {
      const part = Buffer.from(bytes.subarray(at, at + 4096)).toString('hex');
      await this.call('memory_write', { address: hex0x(address + BigInt(at)), bytes: part });
    }
  }

  /** Why it is stopped; nothing while it runs. */
  async stop(): Promise<SeenStop | undefined> {
    const { stop } = await this.call('moment_read');
    return stop as SeenStop | undefined;
  }

  /** Lets it run until something stops it, or somebody. Resolves to false when the machine is gone. */
  async goOn(pace: 'real' | 'warp', signal: AbortSignal): Promise<boolean> {
    await this.call('run', { detach: pace });
    if (signal.aborted && this.isRunning) await this.call('pause');
    return this.stopped();
  }

  /** When it does not run any more; false where that is because it is gone. */
  stopped(): Promise<boolean> {
    return new Promise((resolve) => {
      const done = (is: boolean) => {
        for (const end of ends) end();
        resolve(is);
      };
      const look = () => {
        const { summary } = this;
        if (!summary) done(false);
        else if (summary.state !== 'RUNNING') done(true);
      };
      const over = () => done(true);
      this.#over.signal.addEventListener('abort', over, { once: true });
      const ends = [
        this.#host.onChange(({ machine }) => machine === this.handle && look()),
        this.#host.onListChange(look),
        () => this.#over.signal.removeEventListener('abort', over),
      ];
      if (this.#over.signal.aborted) over();
      else look();
    });
  }

  get isOver(): boolean {
    return this.#over.signal.aborted;
  }

  /** Takes the machine, as a person at the page does: nobody else changes it until it is handed back. */
  async take(): Promise<void> {
    await this.#host.take(this.handle, this.#holder);
    this.#hasTaken = true;
  }

  /** The note is for the agents. False where it was not held, or somebody else has taken it since. */
  async handBack(note: string): Promise<boolean> {
    const isHeld = this.#hasTaken && this.summary?.holder?.person === this.#person;
    this.#hasTaken = false;
    if (isHeld) await this.#host.handBack(this.handle, this.#holder, note);
    return isHeld;
  }

  get #holder(): Actor {
    const { role, address } = this.#who;
    return { client: nameOf(this.#who), person: this.#person, role, address };
  }

  /** What is under way ends; the machine stays as it is, and is free. */
  leave(): void {
    this.handBack('').catch((error: unknown) => {
      // Whoever has the machine is gone, or does not answer: there is nobody to give it back to.
      if (!(error instanceof MachineError)) throw error;
    });
    this.#over.abort(new Error('the debugger has left'));
    this.#leave();
  }
}

/** As everybody sees it. */
function nameOf({ protocol, address }: Debugger): string {
  return `${protocol} (${address})`;
}

function callerOf({ protocol, address, role }: Debugger, signal: AbortSignal): Caller {
  const caller = { client: protocol, via: protocol, role, address, signal };
  return { ...caller, progress: () => {}, confirmed: true, isDebugger: true };
}

/** What a person types to have the machine alone, or to give it back, and what they are told. */
export async function leased(machine: DebuggedMachine, command: string, note = ''): Promise<string> {
  if (command === 'take') {
    await machine.take();
    return `${machine.handle} is yours`;
  }
  return (await machine.handBack(note)) ? `${machine.handle} is given back` : `you did not have ${machine.handle}`;
}

/** A number of an answer, which is text where JSON has no number for it. */
export function wide(value: unknown): bigint {
  return typeof value === 'number' || typeof value === 'string' ? BigInt(value) : 0n;
}
