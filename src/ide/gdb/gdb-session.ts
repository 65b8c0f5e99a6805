import { hex0x, lowerHex } from '../../formats/hex.ts';
import { hexToBytes, textToHex } from '../../links/gdb/packet.ts';
import { MachineError } from '../../machine/errors.ts';
import type { DebuggedMachine } from '../debugged-machine.ts';
import { GdbBreakpoints } from './gdb-breakpoints.ts';
import { GdbRun, type StopTold } from './gdb-run.ts';
import { layoutFor } from './layouts.ts';
import { monitorCommand } from './monitor-commands.ts';
import { fromWire, type RegisterLayout, registerInfo, targetXml, toWire } from './register-layout.ts';

export const packetBytes = 0x4000;
const mostRead = (packetBytes - 16) / 2;
const ok = 'OK';
/** Not understood, which the protocol says with silence. */
const unknown = '';
const failed = 'E01';
const outOfReach = 'E0e';
/** To LLDB: there are no more registers. */
const noMore = 'E45';

/** What answers the packets of one debugger. It knows nothing of sockets. */
export class GdbSession {
  readonly #machine: DebuggedMachine;
  readonly #breakpoints: GdbBreakpoints;
  readonly #run: GdbRun;
  /** The client is gdb, and not one of those that speak its language. */
  #isGdb = false;
  /** Packets to be sent before the next answer. */
  readonly printed: string[] = [];
  #wasRunning = false;
  #hasTargetXml = false;
  #layout: RegisterLayout | undefined;
  hasLeft = false;

  constructor(machine: DebuggedMachine) {
    this.#machine = machine;
    this.#breakpoints = new GdbBreakpoints(machine);
    this.#run = new GdbRun(machine, this.#breakpoints);
  }

  /** Debuggers want a machine that is stopped. */
  async begin(): Promise<void> {
    this.#wasRunning = this.#machine.isRunning;
    if (this.#wasRunning) await this.#machine.call('pause');
  }

  /** What it set is taken back; a machine that ran before runs on. */
  async end(): Promise<void> {
    await this.#breakpoints.removeAll();
    if (this.#wasRunning && !this.#machine.isRunning) await this.#machine.call('run', { detach: 'real' });
  }

  /** `isComing`: what lets the machine go may have been asked for and not have begun. */
  interrupt(isComing: boolean): Promise<void> {
    return this.#run.interrupt(isComing);
  }

  /** Undefined: there is no answer to this one. */
  async answer(packet: string): Promise<string | undefined> {
    try {
      return await this.#answer(packet);
    } catch (error) {
      if (error instanceof MachineError) return failed;
      throw error;
    }
  }

  async #answer(packet: string): Promise<string | undefined> {
    const rest = packet.slice(1);
    switch (packet.charAt(0)) {
      case '?':
        return this.#stopReply(await this.#run.told());
      case 'g':
        return this.#readAll();
      case 'G':
        return this.#writeAll(rest);
      case 'p':
        return this.#readOne(Number.parseInt(rest, 16));
      case 'P':
        return this.#writeOne(rest);
      case 'm':
        return this.#read(rest);
      case 'M':
        return this.#write(rest, hexToBytes);
      case 'X':
        return this.#write(rest, (data) => Buffer.from(data, 'latin1'));
      case 'Z':
        return (await this.#breakpoints.insert(rest)) ? ok : failed;
      case 'z':
        await this.#breakpoints.remove(rest);
        return ok;
      case 'c':
      case 'C':
        return this.#stopReply(await this.#run.goOn());
      case 's':
      case 'S':
        return this.#stopReply(await this.#run.step());
      case 'b':
        if (rest === 's') return this.#stopReply(await this.#run.stepBack());
        return rest === 'c' ? this.#stopReply(await this.#run.goBack()) : unknown;
      case 'D':
        this.hasLeft = true;
        return ok;
      case 'k':
        // The machine belongs to the rack: a debugger that ends it only leaves.
        this.hasLeft = true;
        return undefined;
      case 'H':
      case 'T':
      case '!':
        return ok;
      case 'v':
        return this.#verbose(packet);
      case 'q':
      case 'Q':
        return this.#query(packet);
      default:
        return unknown;
    }
  }

  async #verbose(packet: string): Promise<string> {
    if (packet === 'vCont?') return 'vCont;c;C;s;S';
    if (packet.startsWith('vCont;')) {
      const action = packet.charAt('vCont;'.length).toLowerCase();
      return this.#stopReply(await (action === 's' ? this.#run.step() : this.#run.goOn()));
    }
    // Only gdb asks this, and before it asks what registers there are.
    if (packet === 'vMustReplyEmpty') this.#isGdb = true;
    if (packet.startsWith('vKill')) {
      this.hasLeft = true;
      return ok;
    }
    return unknown;
  }

  async #query(packet: string): Promise<string> {
    const [name = '', ...parts] = packet.split(':');
    if (name === 'qSupported') {
      return (
        `PacketSize=${packetBytes.toString(16)};QStartNoAckMode+;qXfer:features:read+;vContSupported+;` +
        'swbreak+;hwbreak+;ReverseStep+;ReverseContinue+'
      );
    }
    if (name === 'QStartNoAckMode' || name === 'qSymbol') return ok;
    if (name === 'qXfer' && packet.startsWith('qXfer:features:read:target.xml:')) return this.#features(parts.at(-1));
    if (name === 'qC') return 'QC1';
    if (name === 'qAttached') return '1';
    if (name === 'qfThreadInfo') return 'm1';
    if (name === 'qsThreadInfo') return 'l';
    if (packet.startsWith('qThreadExtraInfo,')) return textToHex(this.#machine.summary?.line ?? '');
    if (packet.startsWith('qRegisterInfo')) return this.#registerInfo(packet.slice('qRegisterInfo'.length));
    if (name === 'qHostInfo' || name === 'qProcessInfo') return this.#hostInfo(name);
    if (packet.startsWith('qRcmd,')) return this.#monitor(packet.slice('qRcmd,'.length));
    return unknown;
  }

  async #hostInfo(name: string): Promise<string> {
    const { triple, pointerBytes } = await this.#registers();
    const process = name === 'qProcessInfo' ? 'pid:1;' : '';
    return `${process}triple:${textToHex(triple)};endian:little;ptrsize:${pointerBytes};`;
  }

  /** LLDB 14 asks after it has read the description where it does not know the processor, and dies of the answer. */
  async #registerInfo(number: string): Promise<string> {
    if (this.#hasTargetXml) return unknown;
    return registerInfo(await this.#registers(), Number.parseInt(number, 16)) ?? noMore;
  }

  async #features(range: string | undefined): Promise<string> {
    const [from = 0, length = 0] = (range ?? '').split(',').map((part) => Number.parseInt(part, 16) || 0);
    const xml = targetXml(await this.#registers());
    this.#hasTargetXml = true;
    const part = xml.slice(from, from + Math.min(length, mostRead));
    return `${from + part.length < xml.length ? 'm' : 'l'}${part}`;
  }

  async #monitor(line: string): Promise<string> {
    const bytes = hexToBytes(line);
    if (!bytes) return failed;
    return this.#printed(
      await monitorCommand(Buffer.from(bytes).toString('utf8'), this.#machine, this.#run).catch((error: unknown) => {
        if (!(error instanceof MachineError)) throw error;
        return `${error.message}\n${error.fix}\n`;
      }),
    );
  }

  /** LLDB shows the answer as it comes, and prints only what comes before it. */
  #printed(text: string): string {
    if (this.#isGdb) return textToHex(text);
    this.printed.push(`O${textToHex(text)}`);
    return 'OK';
  }

  async #registers(): Promise<RegisterLayout> {
    this.#layout ??= layoutFor(await this.#machine.registers(), this.#isGdb);
    if (this.#layout) return this.#layout;
    throw new MachineError('UNAVAILABLE', 'Debuggers cannot use the registers of such a machine.', 'Use the tools.');
  }

  async #readAll(): Promise<string> {
    const { registers } = await this.#registers();
    const values = await this.#machine.registers();
    return registers.map(({ bits, read }) => toWire(read(values), bits)).join('');
  }

  async #readOne(number: number): Promise<string> {
    const register = (await this.#registers()).registers[number];
    const value = register?.read(await this.#machine.registers());
    // LLDB takes what gdb calls unavailable for a number.
    if (!register || (value === undefined && !this.#isGdb)) return failed;
    return toWire(value, register.bits);
  }

  async #writeOne(text: string): Promise<string> {
    const [number = '', wire = ''] = text.split('=');
    return (await this.#set([[Number.parseInt(number, 16), wire]])) ? ok : failed;
  }

  async #writeAll(wire: string): Promise<string> {
    const { registers } = await this.#registers();
    let at = 0;
    const parts = registers.map(({ bits }, number): [number, string] => {
      const part = wire.slice(at, at + bits / 4);
      at += bits / 4;
      return [number, part];
    });
    await this.#set(parts);
    return ok;
  }

  /** False where none of them can be written. */
  async #set(parts: readonly (readonly [number, string])[]): Promise<boolean> {
    const { registers } = await this.#registers();
    const values = await this.#machine.registers();
    let changes: Record<string, bigint> = {};
    for (const [number, wire] of parts) {
      const register = registers[number];
      const value = fromWire(wire);
      if (!register || value === undefined || register.read(values) === value) continue;
      changes = { ...changes, ...register.write(value, values) };
    }
    if (Object.keys(changes).length === 0) return parts.every(([number]) => registers[number] !== undefined);
    const texts = Object.entries(changes).map(([name, value]) => [name, hex0x(value)]);
    await this.#machine.call('registers_write', { values: Object.fromEntries(texts) });
    return true;
  }

  async #read(text: string): Promise<string> {
    const [address, length] = rangeOf(text);
    if (address === undefined || length === undefined) return failed;
    if (length === 0) return '';
    try {
      const bytes = await this.#machine.read(address, Math.min(length, mostRead));
      return Buffer.from(bytes).toString('hex');
    } catch (error) {
      if (error instanceof MachineError) return outOfReach;
      throw error;
    }
  }

  async #write(text: string, decode: (data: string) => Uint8Array | undefined): Promise<string> {
    const colon = text.indexOf(':');
    const [address, length] = rangeOf(text.slice(0, colon));
    const bytes = decode(text.slice(colon + 1));
    if (address === undefined || bytes === undefined || bytes.length !== length) return failed;
    if (length > 0) await this.#machine.write(address, bytes);
    return ok;
  }

  async #stopReply(told: StopTold | undefined): Promise<string> {
    if (!told) {
      this.hasLeft = true;
      return 'W00';
    }
    const { registers, told: numbers } = await this.#registers();
    const values = await this.#machine.registers();
    const shown = numbers.flatMap((number) => {
      const register = registers[number];
      const name = lowerHex(number, 2);
      return register ? [`${name}:${toWire(register.read(values), register.bits)};`] : [];
    });
    return `T${told.signal}${told.reason}${shown.join('')}thread:1;`;
  }
}

function rangeOf(text: string): [bigint | undefined, number | undefined] {
  const [, address, length] = /^([0-9a-f]{1,16}),([0-9a-f]{1,8})$/i.exec(text) ?? [];
  if (address === undefined || length === undefined) return [undefined, undefined];
  return [BigInt(`0x${address}`), Number.parseInt(length, 16)];
}
