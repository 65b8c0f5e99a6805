import { MachineError } from '../../machine/errors.ts';
import { type Data, type DebuggedMachine, hex, leased, wide } from '../debugged-machine.ts';
import { referenced } from './dap-breakpoints.ts';
import type { DapThread } from './dap-thread.ts';
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

  constructor(paths: SourcePaths, threadOf: (id: number) => DapThread) {
    this.#paths = paths;
    this.#threadOf = threadOf;
  }

  /** The machine of a frame, or the only one there is to mean. */
  machineOf(frameId: unknown): DebuggedMachine {
    const thread = typeof frameId === 'number' && frameId > 0 ? Math.floor(frameId / framesPerThread) : 1;
    return this.#threadOf(thread).machine;
  }

  async stackTrace({ threadId, startFrame = 0, levels }: Data): Promise<Data> {
    const { machine, id } = this.#threadOf(Number(threadId));
    const { frames } = await machine.call('frames_read');
    const all = (frames as Place[]).map((place, index) => ({
      id: id * framesPerThread + index,
      name: place.name ?? place.where,
      ...this.#source(place),
      instructionPointerReference: hex(wide(place.address)),
    }));
    const first = Number(startFrame);
    const end = typeof levels === 'number' && levels > 0 ? first + levels : all.length;
    return { stackFrames: all.slice(first, end), totalFrames: all.length };
  }

  /** Registers are those of the innermost frame: what they were further out is not kept. */
  scopes({ frameId }: Data): Data {
    if (Number(frameId) % framesPerThread !== 0) return { scopes: [] };
    const registers = { name: 'Registers', presentationHint: 'registers', expensive: false };
    return { scopes: [{ ...registers, variablesReference: Number(frameId) }] };
  }

  async variables({ variablesReference }: Data): Promise<Data> {
    const registers = await this.machineOf(variablesReference).registers();
    return {
      variables: [...registers].map(([name, value]) => ({
        name,
        value: hex(value),
        type: 'register',
        variablesReference: 0,
        memoryReference: hex(value),
      })),
    };
  }

  async setVariable({ variablesReference, name, value }: Data): Promise<Data> {
    const machine = this.machineOf(variablesReference);
    if (!(await machine.registers()).has(String(name).toUpperCase())) {
      throw new MachineError('NOT_FOUND', `No register ${String(name).slice(0, 40)}.`, 'Ask for the variables again.');
    }
    await machine.call('registers_write', { values: { [String(name)]: String(value) } });
    return { value: hex((await machine.registers()).get(String(name).toUpperCase()) ?? 0n), variablesReference: 0 };
  }

  /** A register, or what lies at an address; in the console also any tool with its arguments as JSON. */
  async evaluate({ expression, frameId, context }: Data): Promise<Data> {
    const text = String(expression).trim();
    const machine = this.machineOf(frameId);
    const [, lease, note] = /^(take|hand_back)(?:\s+([\s\S]*))?$/.exec(text) ?? [];
    if (context === 'repl' && lease !== undefined)
      return { result: leased(machine, lease, note), variablesReference: 0 };
    const register = (await machine.registers()).get(text.replace(/^\$(?=[a-z])/i, '').toUpperCase());
    if (register !== undefined) {
      return { result: hex(register), type: 'register', variablesReference: 0, memoryReference: hex(register) };
    }
    const [, tool, json] = /^([a-z]+_[a-z_]+|run|step|pause|disassemble)(?:\s+(\{[\s\S]*\}))?$/.exec(text) ?? [];
    if (context === 'repl' && tool !== undefined) {
      return { result: (await machine.answer(tool, parsed(json))).text, variablesReference: 0 };
    }
    const { address } = await machine.call('address_read', { address: text });
    const at = wide(address);
    const bytes = Buffer.from(await machine.read(at, 8));
    const numbers = `${bytes[0]}, as a word ${bytes.readUInt16LE(0)}`;
    const shown = bytes.toString('hex').replace(/..(?=.)/g, '$& ');
    return { result: `${hex(at)}: ${shown} (${numbers})`, variablesReference: 0, memoryReference: hex(at) };
  }

  async readMemory({ memoryReference, offset, count }: Data, machine: DebuggedMachine): Promise<Data> {
    const address = referenced(memoryReference, offset);
    const wanted = Math.min(Math.max(0, Number(count) || 0), mostBytes);
    const bytes = wanted === 0 ? new Uint8Array() : await readable(machine, address, wanted);
    const unreadable = Number(count) - bytes.length;
    return {
      address: hex(address),
      data: Buffer.from(bytes).toString('base64'),
      ...(unreadable > 0 && { unreadableBytes: unreadable }),
    };
  }

  async writeMemory({ memoryReference, offset, data }: Data, machine: DebuggedMachine): Promise<Data> {
    const bytes = Buffer.from(String(data), 'base64');
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
      ...{ address: hex(address), before },
      count: Math.min(after, mostInstructions),
    });
    const found = answer.instructions as Instruction[];
    const missing = before - Number(answer.earlier);
    const filler = Array.from({ length: missing }, (_, index) => ({
      address: hex(address > BigInt(missing - index) ? address - BigInt(missing - index) : 0n),
      instruction: '??',
      presentationHint: 'invalid',
    }));
    const shown = found.map((each) => ({
      address: hex(wide(each.address)),
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
