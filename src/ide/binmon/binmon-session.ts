import type { HostEvent, ToolHost } from '../../api/tool-host.ts';
import { eventId, failure, u16, u32 } from '../../links/vice/wire.ts';
import { MachineError } from '../../machine/errors.ts';
import type { DebuggedMachine, SeenStop } from '../debugged-machine.ts';
import { Checkpoints } from './checkpoints.ts';
import { translateCondition } from './condition.ts';
import { LateStart } from './late-start.ts';
import { MonitorMemory } from './memory.ts';
import { Motion } from './motion.ts';
import { displayOf, paletteOf } from './picture.ts';
import { pictureLineWord } from './picture-line.ts';
import { Registers } from './registers.ts';
import { Resources } from './resources.ts';
import { Typing } from './typing.ts';
import { type Command, Refusal, requireLength, textAt } from './wire.ts';

/** The version of VICE whose answers these are. */
const viceVersion = [3, 7, 1, 0];
const empty = Buffer.alloc(0);
const event = { checkpoint: 0x11, registers: 0x31, jam: 0x61, stopped: 0x62, resumed: 0x63 } as const;
const directions = ['up', 'down', 'left', 'right', 'fire'] as const;

/** The answer to a command, and what happens once it is sent. */
interface Answer {
  readonly body: Buffer;
  /** Where it is not that of the command. */
  readonly type?: number;
  after?(): Promise<void>;
}

type Handler = (body: Buffer, command: Command) => Promise<Answer>;

/** A client of VICE's binary monitor at a machine. It knows nothing of sockets. */
export class BinmonSession {
  readonly #machine: DebuggedMachine;
  readonly #send: (type: number, id: number, body: Uint8Array, error?: number) => void;
  readonly #checkpoints: Checkpoints;
  readonly #registers: Registers;
  readonly #memory: MonitorMemory;
  readonly #resources: Resources;
  readonly #typing: Typing;
  readonly #motion: Motion;
  readonly #start: LateStart;
  readonly #handlers: ReadonlyMap<number, Handler>;
  readonly #forget: () => void;
  #turn: Promise<void> = Promise.resolve();
  /** The client is to be let go. */
  hasLeft = false;
  onLeave: () => void = () => {};

  constructor(
    host: ToolHost,
    machine: DebuggedMachine,
    send: (type: number, id: number, body: Uint8Array, error?: number) => void,
  ) {
    this.#machine = machine;
    this.#send = send;
    this.#checkpoints = new Checkpoints(machine);
    this.#registers = new Registers(machine);
    this.#memory = new MonitorMemory(machine);
    this.#resources = new Resources(machine);
    this.#typing = new Typing(host, machine);
    const news = {
      stopped: (stop: SeenStop | undefined) => this.#tellStop(stop),
      resumed: async () => this.#send(event.resumed, eventId, Uint8Array.from(u16(await this.#registers.pc()))),
      gone: () => this.#leave(),
    };
    this.#motion = new Motion(host, machine, news, (task) => this.#queue(task));
    this.#start = new LateStart(host, machine.handle, (start) => this.#queue(() => this.#startLate(start)));
    this.#forget = host.onEvent((each) => this.#heard(each));
    this.#handlers = this.#table();
  }

  /** Carries a command out when those before it are done. */
  receive(command: Command): Promise<void> {
    this.#motion.interrupt();
    return this.#queue(() => this.#carryOut(command));
  }

  /** What it set is taken back. Text that is typed and a program that is to start get there all the same, if the machine runs on. */
  async end(): Promise<void> {
    this.#forget();
    await this.#turn;
    await this.#checkpoints.removeOwn();
    await this.#motion.end();
    await Promise.race([Promise.all([this.#typing.settled(), this.#start.settled()]), this.#machine.stopped()]);
    this.#typing.end();
    this.#start.cancel();
    await this.#turn;
  }

  #queue(task: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(task).catch((error: unknown) => {
      if (!(error instanceof MachineError)) throw error;
    });
    return this.#turn;
  }

  #leave(): void {
    this.hasLeft = true;
    this.onLeave();
  }

  async #carryOut(command: Command): Promise<void> {
    if (this.hasLeft) return;
    const { id, type } = command;
    const answer = await this.#answer(command).catch((error: unknown) => {
      if (error instanceof Refusal) return error.code;
      if (error instanceof MachineError) return failure.failed;
      throw error;
    });
    if (typeof answer === 'number') return this.#send(0, id, empty, answer);
    this.#send(answer.type ?? type, id, answer.body);
    await answer.after?.();
  }

  async #answer(command: Command): Promise<Answer> {
    await this.#motion.open();
    if (command.version < 1 || command.version > 2) throw new Refusal(failure.version);
    const handler = this.#handlers.get(command.type);
    if (handler) return handler(command.body, command);
    throw new Refusal(failure.command);
  }

  // ---- what is told unasked

  async #tellStop(stop: SeenStop | undefined): Promise<void> {
    const hit = await this.#checkpoints.hit(stop?.breakpoint, true);
    if (hit) this.#send(event.checkpoint, eventId, hit);
    if (stop?.cause === 'fault') this.#send(event.jam, eventId, empty);
    const registers = await this.#registers.read(0);
    this.#send(event.registers, eventId, registers);
    this.#send(event.stopped, eventId, Uint8Array.from(u16(await this.#registers.pc())));
  }

  /** A checkpoint that does not stop was met. */
  #heard({ machine, type, data }: HostEvent): void {
    if (machine !== this.#machine.handle || type !== 'breakpoint' || data?.event === undefined) return;
    const breakpoint = data as unknown as NonNullable<SeenStop['breakpoint']>;
    void this.#queue(async () => {
      const hit = await this.#checkpoints.hit(breakpoint, false);
      if (hit) this.#send(event.checkpoint, eventId, hit);
    });
  }

  // ---- commands

  #table(): ReadonlyMap<number, Handler> {
    const done = async (task: Promise<unknown>): Promise<Answer> => {
      await task;
      return { body: empty };
    };
    const plain = async (body: Buffer | Promise<Buffer>, type?: number): Promise<Answer> => ({
      body: await body,
      ...(type !== undefined && { type }),
    });
    return new Map<number, Handler>([
      [0x01, (body) => plain(this.#memory.read(body))],
      [0x02, (body) => done(this.#memory.write(body))],
      [0x11, (body) => plain(this.#checkpoints.describe(numberIn(body)))],
      [0x12, (body) => this.#setCheckpoint(body)],
      [0x13, (body) => done(this.#checkpoints.delete(numberIn(body)))],
      [0x14, (_body, { id }) => this.#listCheckpoints(id)],
      [0x15, (body) => this.#toggle(body)],
      [0x22, (body) => this.#setCondition(body)],
      [0x31, (body) => plain(this.#registers.read(byteIn(body)))],
      [0x32, (body) => plain(this.#registers.write(body), event.registers)],
      [0x41, (body) => done(this.#dump(textAt(body, 2)))],
      [0x42, (body) => this.#undump(textAt(body, 0))],
      [0x51, (body) => plain(this.#resources.read(textAt(body, 0)))],
      [0x52, (body) => this.#setResource(body)],
      [0x71, (body) => this.#advance(body)],
      [0x72, (body, { version }) => this.#feed(body, version)],
      [0x73, async () => ({ body: empty, after: () => this.#motion.step({ kind: 'out' }) })],
      [0x81, () => plain(empty)],
      [0x82, () => plain(this.#memory.banks())],
      [0x83, (body) => plain(this.#registers.describe(byteIn(body)))],
      [0x84, (body, { version }) => this.#display(body, version)],
      [0x85, () => plain(Buffer.from([viceVersion.length, ...viceVersion, 4, 0, 0, 0, 0]))],
      [0x91, (body) => this.#palette(body)],
      [0xa2, (body) => this.#joyport(body)],
      [0xb2, (body) => this.#userport(body)],
      [0xaa, async () => ({ body: empty, after: () => this.#resume() })],
      [0xbb, async () => ({ body: empty, after: async () => this.#leave() })],
      [0xcc, (body) => this.#reset(byteIn(body))],
      [0xdd, (body) => this.#autostart(body)],
    ]);
  }

  async #setCheckpoint(body: Buffer): Promise<Answer> {
    requireLength(body, 8);
    const number = await this.#checkpoints.set({
      start: body.readUInt16LE(0),
      end: body.readUInt16LE(2),
      stops: body[4] !== 0,
      isEnabled: body[5] !== 0,
      operation: body[6] ?? 0,
      isTemporary: body[7] !== 0,
      memspace: body[8] ?? 0,
    });
    const answer = { body: await this.#checkpoints.describe(number), type: event.checkpoint };
    // VICE takes a temporary one for its command "until", which goes on at once.
    return body[7] === 0 ? answer : { ...answer, after: () => this.#resume() };
  }

  async #listCheckpoints(id: number): Promise<Answer> {
    const all = await this.#checkpoints.list();
    for (const each of all) this.#send(event.checkpoint, id, each);
    return { body: Buffer.from(u32(all.length)) };
  }

  async #toggle(body: Buffer): Promise<Answer> {
    requireLength(body, 5);
    await this.#checkpoints.toggle(body.readUInt32LE(0), body[4] !== 0);
    return { body: empty };
  }

  async #setCondition(body: Buffer): Promise<Answer> {
    const condition = textAt(body, 4);
    const number = numberIn(body);
    await this.#checkpoints.describe(number);
    const line = await pictureLineWord(this.#machine);
    await this.#checkpoints.setCondition(number, translateCondition(condition, line));
    return { body: empty };
  }

  async #dump(path: string): Promise<void> {
    await this.#machine.call('snapshot_dump', { path });
  }

  async #undump(path: string): Promise<Answer> {
    await this.#machine.call('snapshot_load', { path });
    return { body: Buffer.from(u16(await this.#registers.pc())) };
  }

  async #setResource(body: Buffer): Promise<Answer> {
    requireLength(body, 2);
    const name = textAt(body, 1);
    const at = 2 + (body[1] ?? 0);
    requireLength(body, at + 1);
    const length = body[at] ?? 0;
    requireLength(body, at + 1 + length);
    if (name === '' || length === 0) throw new Refusal(failure.length);
    await this.#resources.write(name, body[0] ?? 0, body.subarray(at + 1, at + 1 + length));
    return { body: empty };
  }

  async #advance(body: Buffer): Promise<Answer> {
    requireLength(body, 3);
    const [kind, count] = [body[0] === 0 ? 'into' : 'over', body.readUInt16LE(1)];
    return { body: empty, after: () => (count === 0 ? this.#resume() : this.#motion.step({ kind, count })) };
  }

  async #feed(body: Buffer, version: number): Promise<Answer> {
    if (version < 2) throw new Refusal(failure.version);
    requireLength(body, 1 + byteIn(body));
    await this.#typing.add(body.subarray(1, 1 + byteIn(body)));
    return { body: empty };
  }

  async #display(body: Buffer, version: number): Promise<Answer> {
    if (version < 2) throw new Refusal(failure.version);
    requireLength(body, 2);
    if (body[1] !== 0) throw new Refusal(failure.parameter);
    return { body: await displayOf(this.#machine) };
  }

  async #palette(body: Buffer): Promise<Answer> {
    requireLength(body, 1);
    return { body: await paletteOf(this.#machine) };
  }

  async #joyport(body: Buffer): Promise<Answer> {
    requireLength(body, 4);
    const [port, levels] = [body.readUInt16LE(0), body.readUInt16LE(2)];
    if (port > 1) throw new Refusal(failure.missing);
    // Pins are low where a switch is closed.
    const pressed = directions.filter((_, bit) => ((levels >> bit) & 1) === 0);
    await this.#machine.call('joystick_set', { port: port + 1, directions: pressed });
    return { body: empty };
  }

  async #userport(body: Buffer): Promise<Answer> {
    requireLength(body, 2);
    await this.#machine.call('user_port_set', { pins: body.readUInt16LE(0) & 255 });
    return { body: empty };
  }

  async #reset(what: number): Promise<Answer> {
    if (what >= 8 && what <= 11) {
      await this.#machine.call('drive_reset', { slot: `drive${what}` });
      return { body: empty };
    }
    if (what > 1) throw new Refusal(failure.parameter);
    this.#start.cancel();
    this.#typing.waitForBoot();
    await (what === 0 ? this.#machine.call('machine_reset', { mode: 'soft' }) : this.#machine.call('power_cycle'));
    return { body: empty, after: () => this.#resume() };
  }

  /** As in VICE, it is answered at once, and the program starts when the machine has booted: meanwhile clients set their checkpoints. */
  async #autostart(body: Buffer): Promise<Answer> {
    const path = textAt(body, 3);
    const index = body.readUInt16LE(1);
    const program = { path, ...(index > 0 && { index }) };
    await this.#machine.call('program_autostart', { ...program, start: false });
    this.#typing.waitForBoot();
    if (body[0] !== 0) this.#start.after(() => this.#machine.call('program_autostart', { ...program, start: true }));
    return { body: empty, after: () => this.#resume() };
  }

  async #startLate(start: () => Promise<unknown>): Promise<void> {
    // A command has stopped the machine since: it boots on when the monitor closes.
    if (this.#motion.isOpen) this.#start.after(start);
    else await this.#motion.during(start);
  }

  #resume(): Promise<void> {
    return this.#motion.resume(this.#resources.pace);
  }
}

function numberIn(body: Buffer): number {
  requireLength(body, 4);
  return body.readUInt32LE(0);
}

function byteIn(body: Buffer): number {
  requireLength(body, 1);
  return body[0] ?? 0;
}
