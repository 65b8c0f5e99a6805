import type { BinmonClient } from '../../../links/vice/binmon-client.ts';
import { MonitorError } from '../../../links/vice/monitor-error.ts';
import type { TextMonitor } from '../../../links/vice/text-monitor.ts';
import { commands, events, failure, itemsIn, oldestApiVersion, text, u16, u32 } from '../../../links/vice/wire.ts';
import { advice, call, MachineError } from '../../../machine/errors.ts';
import type { ViceModel } from './vice-models.ts';
import { whileWanted } from './while-wanted.ts';

/** On a computer that has much else to do, a frame may take this long. */
const frameMs = 30_000;
/** VICE needs some milliseconds; one that takes longer is not waited for. */
const leaveMs = 10_000;
const lookMs = 10;
const mostAtOnce = 0x8000;
/** Many more than there are checkpoints: who tells of more is no VICE. */
const mostHits = 10_000;
const units = [8, 9, 10, 11];
const jamOpcodes = new Set([0x02, 0x12, 0x22, 0x32, 0x42, 0x52, 0x62, 0x72, 0x92, 0xb2, 0xd2, 0xf2]);

/** What a stopped machine is known to be. */
export interface Moment {
  readonly registers: ReadonlyMap<string, number>;
  readonly pc: number;
  /** Since power-up; undefined without the text monitor, which alone knows. */
  readonly cycles: number | undefined;
  readonly line: number;
  readonly cycle: number;
  readonly isJammed: boolean;
}

export interface RegisterFact {
  readonly id: number;
  readonly bits: number;
}

const nowhere: Moment = { registers: new Map(), pc: 0, cycles: 0, line: 0, cycle: 0, isJammed: false };

/** A VICE at the far end of its monitors. Every command stops it; only what is called so here lets it run. */
export class ViceSession {
  readonly text: TextMonitor | undefined;
  readonly #binmon: BinmonClient;
  readonly #canJam: boolean;
  readonly #lines: ViceModel['lines'];
  readonly #hits = new Set<number>();
  readonly #stopWaiters = new Set<() => void>();
  registers: ReadonlyMap<string, RegisterFact> = new Map();
  banks: ReadonlyMap<string, number> = new Map();
  /** The numbers of those that are switched on. */
  readonly drives = new Set<number>();
  /** `3.7.1`; undefined of those that do not tell. */
  version: readonly number[] | undefined;
  now: Moment = nowhere;
  #over: string | undefined;
  /** Of the call that is under way. */
  #unwanted: AbortSignal | undefined;
  /** The last stop was at the end of a step. */
  #hasStepped = false;

  constructor(
    binmon: BinmonClient,
    textMonitor: TextMonitor | undefined,
    { canJam, lines }: Pick<ViceModel, 'canJam' | 'lines'>,
  ) {
    this.#binmon = binmon;
    this.text = textMonitor;
    this.#canJam = canJam;
    this.#lines = lines;
    binmon.onEvent((type, body) => this.#event(type, body));
  }

  /** What does not change while it runs. The first question stops it. */
  async learn(): Promise<void> {
    const info = await this.ask(commands.info).catch(unknownCommand);
    this.version = info && [...info.subarray(1, 1 + (info[0] ?? 0))];
    const banks = new Map<string, number>();
    for (const item of itemsIn(await this.ask(commands.banksAvailable))) {
      if (item.length >= 3) banks.set(item.toString('latin1', 3, 3 + (item[2] ?? 0)), item.readUInt16LE(0));
    }
    this.banks = banks;
    const registers = new Map<string, RegisterFact>();
    for (const item of itemsIn(await this.ask(commands.registersAvailable, [0]))) {
      const [id = 0, bits = 0, length = 0] = item;
      registers.set(item.toString('latin1', 3, 3 + length), { id, bits });
    }
    this.registers = registers;
    for (const unit of units) await this.learnDrive(unit);
    await this.look();
  }

  /** Whether it is switched on. A VICE that does not say so has none that is seen here. */
  async learnDrive(unit: number): Promise<void> {
    const answer = await this.ask(commands.resourceGet, text(`Drive${unit}Type`)).catch(unknownCommand);
    if (answer && answer.length >= 6 && answer.readUInt32LE(2) !== 0) this.drives.add(unit);
    else this.drives.delete(unit);
  }

  /** Whether it is this version or a later one; 3.5 does not tell which it is. */
  isSince(major: number, minor: number): boolean {
    const [ofMajor = 0, ofMinor = 0] = this.version ?? [3, 5];
    return ofMajor > major || (ofMajor === major && ofMinor >= minor);
  }

  /** It speaks as VICE 3.5 does, which sends pictures and takes keys in other forms. */
  get isOldest(): boolean {
    return this.#binmon.version === oldestApiVersion;
  }

  /** Ended by us, or VICE is gone. */
  get isOver(): boolean {
    return this.#over !== undefined || !this.#binmon.isOpen;
  }

  /** By us. */
  get wasEnded(): boolean {
    return this.#over !== undefined;
  }

  /** From now on every call is answered with this reason. */
  end(reason: string): void {
    this.#over ??= reason;
    this.#binmon.close();
    this.text?.close();
    this.#stopped();
  }

  /** VICE is of no use any more: as if it had gone. */
  abandon(reason: string): void {
    this.#binmon.close(reason);
  }

  /** Answers that come late are not waited for once the signal says so; the answer ends this. */
  heed(signal: AbortSignal): () => void {
    this.#unwanted = signal;
    return () => {
      if (this.#unwanted === signal) this.#unwanted = undefined;
    };
  }

  async ask(type: number, body?: Uint8Array | readonly number[], timeoutMs?: number): Promise<Buffer> {
    try {
      return await this.#wanted(this.#binmon.ask(type, body, timeoutMs));
    } catch (error) {
      throw this.#explained(error, `command ${type.toString(16)}`);
    }
  }

  /** A line for the text monitor. */
  async command(line: string): Promise<string> {
    if (!this.text) throw needsTextMonitor(line.split(' ', 1)[0] ?? line);
    try {
      return await this.#wanted(this.text.ask(line));
    } catch (error) {
      throw this.#explained(error, line);
    }
  }

  /** Looks where the stopped machine is. */
  async look(): Promise<Moment> {
    const [body, time] = await Promise.all([this.ask(commands.registersGet, [0]), this.#cycles()]);
    const names = new Map([...this.registers].map(([name, { id }]) => [id, name]));
    const registers = new Map<string, number>();
    for (const item of itemsIn(body)) {
      const name = names.get(item[0] ?? -1);
      if (name !== undefined && item.length >= 3) registers.set(name, item.readUInt16LE(1));
    }
    const pc = registers.get('PC') ?? 0;
    const [opcode = 0] = this.#canJam ? await this.peek(0, pc, 1) : [];
    this.now = {
      registers,
      pc,
      cycles: time,
      line: this.#chipLine(registers.get('LIN') ?? 0),
      cycle: registers.get('CYC') ?? 0,
      isJammed: jamOpcodes.has(opcode),
    };
    return this.now;
  }

  #chipLine(line: number): number {
    const { first, count } = this.#lines ?? { first: 0, count: Number.POSITIVE_INFINITY };
    return (line + first) % count;
  }

  /** The line that the chip has, in the language of VICE's conditions. */
  get lineWord(): string {
    if (!this.#lines) return 'RL';
    const { first, count } = this.#lines;
    const [plus, over, less] = [first, count - first, count].map((each) => `$${each.toString(16)}`);
    return `((RL + ${plus}) - ((RL >= ${over}) * ${less}))`;
  }

  /** Without disturbing anything, unless `touches`. */
  async peek(bank: number, first: number, length: number, { memspace = 0, touches = false } = {}): Promise<Uint8Array> {
    // VICE 3.5 answers with nothing to a question about all of memory.
    if (this.isOldest && length > mostAtOnce) {
      const low = await this.peek(bank, first, mostAtOnce, { memspace, touches });
      const high = await this.peek(bank, first + mostAtOnce, length - mostAtOnce, { memspace, touches });
      return new Uint8Array(Buffer.concat([low, high]));
    }
    const body = [Number(touches), ...u16(first), ...u16(first + length - 1), memspace, ...u16(bank)];
    // The length before the bytes has 16 bits, and is 0 for all of memory.
    return new Uint8Array(whole(await this.ask(commands.memoryGet, body), 2 + length).subarray(2, 2 + length));
  }

  async poke(bank: number, first: number, bytes: Uint8Array, memspace = 0): Promise<void> {
    const head = [0, ...u16(first), ...u16(first + bytes.length - 1), memspace, ...u16(bank)];
    await this.ask(commands.memorySet, Buffer.concat([Buffer.from(head), bytes]));
  }

  async setRegister(id: number, value: number): Promise<void> {
    await this.ask(commands.registersSet, [0, ...u16(1), 3, id, ...u16(value)]);
    await this.look();
  }

  // ---- checkpoints

  /**
   * The number under which VICE knows it. Never a temporary one: setting that lets VICE run on at once. Rejects with an
   * INVALID_ARGUMENT where VICE does not understand the condition.
   */
  async setCheckpoint(first: number, last: number, operation: number, condition?: string): Promise<number> {
    const answer = await this.ask(commands.checkpointSet, [...u16(first), ...u16(last), 1, 1, operation, 0]);
    const number = whole(answer, 4).readUInt32LE(0);
    if (condition === undefined) return number;
    try {
      await this.ask(commands.conditionSet, [...u32(number), ...text(condition)]);
    } catch (error) {
      await this.deleteCheckpoint(number);
      if (!(error instanceof MachineError) || error.type !== 'EXECUTION_ERROR') throw error;
      const message = `VICE does not understand the condition ${condition}.`;
      throw new MachineError('INVALID_ARGUMENT', message, 'Use a simpler condition.');
    }
    return number;
  }

  async deleteCheckpoint(number: number): Promise<void> {
    await this.ask(commands.checkpointDelete, u32(number));
  }

  /** Those that were met since it last went on. */
  get hits(): ReadonlySet<number> {
    return this.#hits;
  }

  // ---- motion

  /** Lets it run until something stops it or `end` resolves. */
  async runUntil(end: Promise<unknown>): Promise<void> {
    const stopped = this.#nextStop();
    await this.ask(commands.exit);
    const isStopped = await Promise.race([stopped.then(() => true), end.then(() => false)]);
    if (!isStopped) {
      await this.ask(commands.ping, [], frameMs);
      await this.#wanted(stopped);
    }
    await this.look();
  }

  /** To the end of this frame: VICE looks for commands once in each. */
  async runFrame(): Promise<void> {
    const stopped = this.#nextStop();
    try {
      await this.#wanted(this.#binmon.askTogether([[commands.exit], [commands.ping]], frameMs));
    } catch (error) {
      throw this.#explained(error, 'the end of a frame');
    }
    await this.#wanted(stopped);
    await this.look();
  }

  /** Where checkpoints are set, VICE takes the instruction before which a question has stopped it for one that is done. */
  async advance(instructions: number, over: boolean): Promise<void> {
    let left = instructions;
    if (!this.#hasStepped) {
      const { pc, cycles, line, cycle } = this.now;
      await this.#advance(1, over);
      const { now } = this;
      if (now.pc === pc && now.cycles === cycles && now.line === line && now.cycle === cycle)
        await this.#advance(1, over);
      left--;
    }
    if (left > 0) await this.#advance(left, over);
  }

  async #advance(instructions: number, over: boolean): Promise<void> {
    const stopped = this.#nextStop();
    await this.ask(commands.advance, [Number(over), ...u16(instructions)]);
    await this.#wanted(stopped);
    await this.look();
    this.#hasStepped = true;
  }

  /** Lets it run on after a reset until something stops it, or a short while has passed. */
  async reset(mode: 'soft' | 'hard', whileMs: number): Promise<void> {
    const stopped = this.#nextStop();
    await this.ask(commands.reset, [mode === 'hard' ? 1 : 0]);
    const timeout = after(whileMs);
    const isStopped = await Promise.race([stopped.then(() => true), timeout.passed.then(() => false)]);
    timeout.cancel();
    if (!isStopped) await this.ask(commands.ping, [], frameMs);
    await this.#wanted(stopped);
    await this.look();
  }

  /** VICE runs on after it, whether it has worked or not. */
  async autostart(body: readonly number[]): Promise<void> {
    const stopped = this.#nextStop();
    const failed = await this.ask(commands.autostart, body).then(
      () => undefined,
      (error: unknown) => error,
    );
    await this.ask(commands.ping, [], frameMs);
    await this.#wanted(stopped);
    await this.look();
    if (failed !== undefined) throw failed;
  }

  /**
   * Leaves a VICE that goes on. One that sees the end of its text monitor while it runs hangs for good; it looks at that connection
   * between two commands.
   */
  async leave(): Promise<void> {
    this.text?.leave();
    const end = performance.now() + leaveMs;
    do {
      await this.ask(commands.ping);
      await after(lookMs).passed;
    } while (this.text && !this.text.isOver && performance.now() < end);
    this.text?.close();
    await this.ask(commands.exit);
  }

  #nextStop(): Promise<void> {
    this.#hasStepped = false;
    return new Promise((resolve) => {
      this.#stopWaiters.add(resolve);
    });
  }

  #wanted<T>(answer: Promise<T>): Promise<T> {
    return whileWanted(answer, this.#unwanted);
  }

  #stopped(): void {
    for (const resolve of this.#stopWaiters) resolve();
    this.#stopWaiters.clear();
  }

  #event(type: number, body: Buffer): void {
    if (type === events.checkpoint && body.length >= 5 && body[4] === 1 && this.#hits.size < mostHits)
      this.#hits.add(body.readUInt32LE(0));
    else if (type === events.resumed) this.#hits.clear();
    else if (type === events.stopped || type === events.jam) this.#stopped();
  }

  async #cycles(): Promise<number | undefined> {
    if (!this.text) return undefined;
    try {
      return await this.#wanted(this.text.cycles());
    } catch (error) {
      throw this.#explained(error, 'the stopwatch');
    }
  }

  #explained(error: unknown, what: string): unknown {
    if (!(error instanceof MonitorError)) return error;
    if (error.failure === 'refused') {
      const isUnknown = error.code === failure.command;
      const message = isUnknown ? `This VICE does not know ${what}.` : `VICE refuses ${what}: ${error.message}.`;
      const fix = isUnknown ? 'Use a later VICE: 3.7 knows every command that is used here.' : 'Correct the call.';
      return new MachineError('EXECUTION_ERROR', message, fix, { vice_error: error.code });
    }
    if (error.failure === 'timeout') {
      return new MachineError(
        'UNAVAILABLE',
        `VICE did not answer in time (${what}).`,
        advice`Try again; if it stays silent, stop it with ${call('machine_stop')}.`,
      );
    }
    return off(this.#over ?? error.message);
  }
}

/** A time that passes unless somebody cancels it. */
export function after(ms: number): { readonly passed: Promise<void>; cancel(): void } {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return { passed, cancel: () => clearTimeout(timer) };
}

export function off(reason: string): MachineError {
  const fix = advice`Stop it with ${call('machine_stop')} and start another.`;
  return new MachineError('WRONG_STATE', `The machine is off: ${reason}.`, fix, { execution_state: 'OFF' });
}

export function needsTextMonitor(what: string): MachineError {
  return new MachineError(
    'MISSING_CAPABILITY',
    `${what} needs VICE's text monitor, and only its binary one is connected.`,
    'Start VICE with -remotemonitor as well and give its address as "text_monitor".',
  );
}

/** An answer with at least so many bytes; what is shorter comes from no VICE. */
export function whole(answer: Buffer, least: number): Buffer {
  if (answer.length >= least) return answer;
  throw new MachineError(
    'UNAVAILABLE',
    `What answers as VICE sent ${answer.length} bytes where VICE sends ${least} or more.`,
    advice`Make sure that the address is that of VICE's binary monitor; stop this machine with ${call('machine_stop')}.`,
  );
}

function unknownCommand(error: unknown): undefined {
  if (error instanceof MachineError && error.type === 'EXECUTION_ERROR') return undefined;
  throw error;
}
