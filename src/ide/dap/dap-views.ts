import { hex0x } from '../../formats/hex.ts';
import { MachineError } from '../../machine/errors.ts';
import { type Data, type DebuggedMachine, leased, wide } from '../debugged-machine.ts';
import { dataBreakpointInfo } from './breakpoint-requests.ts';
import { referenced } from './dap-breakpoints.ts';
import type { DapThread } from './dap-thread.ts';
import { DapVariables } from './dap-variables.ts';
import type { SourcePaths } from './source-paths.ts';

const framesPerThread = 1000;
const mostInstructions = 500;
const mostBytes = 0x10000;

interface Place {
  readonly address: number | string;
  readonly where: string;
  readonly name: string | null;
  readonly file: string | null;
  readonly line: number | null;
}

interface Instruction extends Place {
  readonly bytes: string;
  readonly text: string;
}

/** What an IDE shows of a machine that is stopped. */
export class DapViews {
  readonly #paths: SourcePaths;
  readonly #threadOf: (id: number) => DapThread;
  readonly #variables = new DapVariables((thread) => this.#threadOf(thread).machine);

  constructor(paths: SourcePaths, threadOf: (id: number) => DapThread) {
    this.#paths = paths;
    this.#threadOf = threadOf;
  }

  /** The machine of a frame, or the only one there is to mean. */
  machineOf(frameId: unknown): DebuggedMachine {
    return this.#threadOf(placeOfFrame(frameId).thread).machine;
  }

  async stackTrace({ threadId, startFrame = 0, levels }: Data): Promise<Data> {
    const { machine, id } = this.#threadOf(Number(threadId));
    const { frames } = await machine.call('frames_read');
    const all = (frames as Place[]).map((place, index) => ({
      id: id * framesPerThread + index,
      name: place.name ?? place.where,
      ...this.#source(place),
      instructionPointerReference: hex0x(wide(place.address)),
    }));
    const first = Number(startFrame);
    const end = typeof levels === 'number' && levels > 0 ? first + levels : all.length;
    return { stackFrames: all.slice(first, end), totalFrames: all.length };
  }

  /** Registers are those of the innermost frame: what they were further out is not kept. */
  async scopes({ frameId }: Data): Promise<Data> {
    const { thread, frame } = placeOfFrame(frameId);
    const locals = await this.#variables.scope(thread, frame);
    const registers = { name: 'Registers', presentationHint: 'registers', expensive: false };
    return {
      scopes: [
        ...(locals ? [locals] : []),
        ...(frame === 0 ? [{ ...registers, variablesReference: thread * framesPerThread }] : []),
      ],
    };
  }

  async variables(args: Data): Promise<Data> {
    if (this.#variables.isReference(args.variablesReference)) return this.#variables.list(args);
    const registers = await this.machineOf(args.variablesReference).registers();
    return {
      variables: [...registers].map(([name, value]) => ({
        name,
        value: hex0x(value),
        type: 'register',
        variablesReference: 0,
        memoryReference: hex0x(value),
      })),
    };
  }

  async setVariable(args: Data): Promise<Data> {
    const { variablesReference, name, value } = args;
    if (this.#variables.isReference(variablesReference)) return this.#variables.set(args);
    const machine = this.machineOf(variablesReference);
    const register = String(name).toUpperCase();
    if (!(await machine.registers()).has(register)) {
      throw new MachineError('NOT_FOUND', `No register ${String(name).slice(0, 40)}.`, 'Ask for the variables again.');
    }
    return setRegister(machine, register, String(value));
  }

  /** A register, a variable, or the memory at an address. */
  async setExpression({ expression, value, frameId }: Data): Promise<Data> {
    const text = String(expression).trim();
    const { thread, frame } = placeOfFrame(frameId);
    const machine = this.machineOf(frameId);
    const register = await this.#registerNamed(text, frameId);
    if (register !== undefined) return setRegister(machine, register, String(value));
    const failure = await this.#variables.assign(thread, frame, text, String(value)).catch((error) => refused(error));
    if (!(failure instanceof MachineError)) return failure;
    // A variable that was found and does not take the value is no address either.
    const isOther = failure.type === 'MISSING_CAPABILITY' || failure.type === 'NOT_FOUND';
    if (!isOther && (await this.#typeOf(thread, frame, text)) !== 'symbol') throw failure;
    const at = await addressOf(machine, text);
    const bytes = bytesIn(String(value));
    await machine.write(at, bytes);
    return { value: `${hex0x(at)}: ${spaced(bytes)}`, memoryReference: hex0x(at), variablesReference: 0 };
  }

  async #typeOf(thread: number, frame: number, expression: string): Promise<unknown> {
    const found = await this.#variables.evaluate(thread, frame, expression).catch((error) => refused(error));
    return found instanceof MachineError ? undefined : found.type;
  }

  /** What can be watched: a variable that was opened, the memory at an address or a symbol. */
  async dataBreakpointInfo(args: Data): Promise<Data> {
    if (!this.#variables.isReference(args.variablesReference)) {
      return dataBreakpointInfo(args, this.machineOf(args.frameId));
    }
    const { address, bytes } = await this.#variables.place(args);
    if (address === undefined) return { dataId: null, description: `${String(args.name)} is not in memory` };
    const machine = this.#variables.machine(args.variablesReference);
    return dataBreakpointInfo({ name: hex0x(address), bytes: Math.max(1, bytes), asAddress: true }, machine);
  }

  /** A register, unless a variable of the frame has that name. */
  async #registerNamed(text: string, frameId: unknown): Promise<string | undefined> {
    const name = text.replace(/^\$(?=[a-z])/i, '').toUpperCase();
    if (!(await this.machineOf(frameId).registers()).has(name)) return undefined;
    const { thread, frame } = placeOfFrame(frameId);
    return (await this.#variables.hasLocal(thread, frame, text)) ? undefined : name;
  }

  /** A register, a variable, or what lies at an address; in the console also any tool with its arguments as JSON. */
  async evaluate({ expression, frameId, context }: Data): Promise<Data> {
    const text = String(expression).trim();
    const machine = this.machineOf(frameId);
    const { thread, frame } = placeOfFrame(frameId);
    const [, lease, note] = /^(take|hand_back)(?:\s+([\s\S]*))?$/.exec(text) ?? [];
    if (context === 'repl' && lease !== undefined)
      return { result: await leased(machine, lease, note), variablesReference: 0 };
    const register = await this.#registerNamed(text, frameId);
    if (register !== undefined) {
      const value = hex0x((await machine.registers()).get(register) ?? 0n);
      return { result: value, type: 'register', variablesReference: 0, memoryReference: value };
    }
    const [, tool, json] = /^([a-z]+_[a-z_]+|run|step|pause|disassemble)(?:\s+(\{[\s\S]*\}))?$/.exec(text) ?? [];
    if (
      context === 'repl' &&
      tool !== undefined &&
      (json !== undefined || !(await this.#variables.hasLocal(thread, frame, text)))
    ) {
      return { result: (await machine.answer(tool, parsed(json))).text, variablesReference: 0 };
    }
    const found = await this.#variables.evaluate(thread, frame, text).catch((error) => refused(error));
    if (!(found instanceof MachineError) && found.type !== 'symbol') return found;
    try {
      return await atAddress(machine, text);
    } catch (error) {
      throw found instanceof MachineError && found.type !== 'MISSING_CAPABILITY' ? found : error;
    }
  }

  async readMemory({ memoryReference, offset, count }: Data, machine: DebuggedMachine): Promise<Data> {
    const address = referenced(memoryReference, offset);
    const wanted = Math.min(Math.max(0, Number(count) || 0), mostBytes);
    const bytes = wanted === 0 ? new Uint8Array() : await readable(machine, address, wanted);
    const unreadable = Number(count) - bytes.length;
    return {
      // Below zero only a decimal number can be written.
      address: address < 0n ? String(address) : hex0x(address),
      data: Buffer.from(bytes).toString('base64'),
      ...(unreadable > 0 && { unreadableBytes: unreadable }),
    };
  }

  async writeMemory({ memoryReference, offset, data }: Data, machine: DebuggedMachine): Promise<Data> {
    if (typeof data !== 'string') throw new MachineError('INVALID_ARGUMENT', 'No data.', 'Send "data" as base64.');
    const bytes = Buffer.from(data, 'base64');
    if (bytes.length > mostBytes) throw new MachineError('LIMIT_REACHED', 'That is too much at once.', 'Write less.');
    if (bytes.length > 0) await machine.write(referenced(memoryReference, offset), bytes);
    return { offset: 0, bytesWritten: bytes.length };
  }

  async disassemble(args: Data, machine: DebuggedMachine): Promise<Data> {
    const address = referenced(args.memoryReference, args.offset);
    const count = Math.min(Math.max(0, Number(args.instructionCount) || 0), mostInstructions);
    const from = Math.max(-mostInstructions, Math.min(Number(args.instructionOffset) || 0, mostInstructions));
    const before = Math.max(0, -from);
    const after = Math.max(0, count + from);
    const answer = await machine.call('instructions_read', {
      ...{ address: hex0x(address), before },
      count: Math.min(after, mostInstructions),
    });
    const found = answer.instructions as Instruction[];
    const missing = before - Number(answer.earlier);
    const filler = Array.from({ length: missing }, (_, index) => ({
      address: hex0x(address > BigInt(missing - index) ? address - BigInt(missing - index) : 0n),
      instruction: '??',
      presentationHint: 'invalid',
    }));
    const shown = found.map((each) => ({
      address: hex0x(wide(each.address)),
      instructionBytes: each.bytes,
      instruction: each.text,
      ...(each.name !== null && !each.name.includes('+') && { symbol: each.name }),
      ...(each.file !== null && each.line !== null && { location: this.#source(each).source, line: each.line }),
    }));
    return { instructions: [...filler, ...shown].slice(Math.max(0, from), Math.max(0, from) + count) };
  }

  #source({ file, line }: Place): { readonly line: number; readonly column: number; readonly source?: Data } {
    if (file === null || line === null) return { line: 0, column: 0 };
    return { line, column: 1, source: { name: file.split(/[\\/]/).at(-1), path: this.#paths.absolute(file) } };
  }
}

/** Which machine and which of its frames a number of the IDE means; without one, the first of the first. */
function placeOfFrame(frameId: unknown): { readonly thread: number; readonly frame: number } {
  if (typeof frameId !== 'number' || frameId <= 0) return { thread: 1, frame: 0 };
  return { thread: Math.floor(frameId / framesPerThread), frame: frameId % framesPerThread };
}

async function setRegister(machine: DebuggedMachine, name: string, value: string): Promise<Data> {
  await machine.call('registers_write', { values: { [name]: value } });
  return { value: hex0x((await machine.registers()).get(name) ?? 0n), variablesReference: 0 };
}

/** Of a symbol, an address, or something that C has put an underscore before. */
async function addressOf(machine: DebuggedMachine, text: string): Promise<bigint> {
  try {
    return wide((await machine.call('address_read', { address: text })).address);
  } catch (error) {
    if (!(error instanceof MachineError) || !/^[a-z_]\w*$/i.test(text)) throw error;
    const found = await machine.call('address_read', { address: `_${text}` }).catch(() => undefined);
    if (!found) throw error;
    return wide(found.address);
  }
}

async function atAddress(machine: DebuggedMachine, text: string): Promise<Data> {
  const at = await addressOf(machine, text);
  const bytes = Buffer.from(await machine.read(at, 8));
  const numbers = `${bytes[0]}, as a word ${bytes.readUInt16LE(0)}`;
  return { result: `${hex0x(at)}: ${spaced(bytes)} (${numbers})`, variablesReference: 0, memoryReference: hex0x(at) };
}

function spaced(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('hex')
    .replace(/..(?=.)/g, '$& ');
}

/** A byte, or several in the order in which they lie there: what a wider number means depends on the machine. */
function bytesIn(text: string): Uint8Array {
  const trimmed = text.trim();
  const number = /^(?:0x[0-9a-f]{1,2}|\$[0-9a-f]{1,2}|\d{1,3})$/i.test(trimmed)
    ? Number(trimmed.replace('$', '0x'))
    : 256;
  if (number <= 0xff) return Uint8Array.of(number);
  if (/^[0-9a-f]{2}(?: [0-9a-f]{2}){1,255}$/i.test(trimmed)) return Buffer.from(trimmed.replaceAll(' ', ''), 'hex');
  const fix = 'Write a byte (12, 0x0c), or bytes as they lie in memory: 34 12.';
  throw new MachineError('INVALID_ARGUMENT', `${trimmed.slice(0, 40)} is neither.`, fix);
}

function refused(error: unknown): MachineError {
  if (error instanceof MachineError) return error;
  throw error;
}

/** As much as lies in memory. */
async function readable(machine: DebuggedMachine, address: bigint, length: number): Promise<Uint8Array> {
  for (let wanted = length; ; wanted = Math.floor(wanted / 2)) {
    try {
      return await machine.read(address, wanted);
    } catch (error) {
      if (!(error instanceof MachineError) || wanted <= 1) return new Uint8Array();
    }
  }
}

function parsed(json: string | undefined): Data {
  try {
    return json === undefined ? {} : { ...Object(JSON.parse(json)) };
  } catch {
    throw new MachineError('INVALID_ARGUMENT', 'The arguments are not JSON.', 'Write memory_read {"address":"$400"}.');
  }
}
