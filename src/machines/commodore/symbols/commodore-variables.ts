import { opcodes } from '../../../chips/mos6510/opcodes.ts';
import type { FileScope, FileVariable } from '../../../formats/commodore/symbols/symbol-file.ts';
import { hex } from '../../../formats/hex.ts';
import type { CpuCapability } from '../../../machine/cpu.ts';
import { advice, call, MachineError } from '../../../machine/errors.ts';
import type { MemoryCapability } from '../../../machine/memory.ts';
import type { PartRange, Variable, VariablesCapability } from '../../../machine/variables.ts';
import { nextTurn } from '../../shared/time-slice.ts';
import { entryPush, type FunctionCode, stackDepth, takenAtEnd } from './c-stack.ts';
import type { CommodoreSymbols } from './commodore-symbols.ts';

interface Frame {
  readonly scope: FileScope;
  /** What offsets count from; undefined where the stack of C cannot be followed. */
  readonly base: number | undefined;
  readonly isInnermost: boolean;
  /** Of all its arguments together. */
  readonly argumentBytes: number;
}

interface Placed {
  readonly name: string;
  readonly address: number;
  readonly bytes: number;
  readonly isArgument: boolean;
}

/** Longer ones are shown by their first bytes. */
const shownBytes = 16;
/** LDA (sp),Y and others that go through a pointer. */
const throughPointer = 0x11;
const mostUses = 20;
/** Of cc65's library, which begin with that pointer: in code that is not optimised nothing else uses it. */
const stackRoutine = /^(?:decsp\d|incsp\d|pushax?|(?:ld|st)ax(?:0|y)sp)$/;
const routineBytes = 8;
const callOperation = 0x20;
/** As cc65 lays out its part of the zero page. */
const bankAfterPointer = 20;
const bankBytes = 6;
/** What is looked at of a program, whatever its file says. */
const mostCallees = 32;
const longestFunction = 16_384;
const numberBytes: ReadonlySet<number> = new Set([1, 2, 4]);

/** Variables of C programs by the debug file of cc65: it tells where they are, and nothing of their types. */
export class CommodoreVariables implements VariablesCapability {
  readonly #cpu: CpuCapability;
  readonly #memory: MemoryCapability;
  readonly #symbols: CommodoreSymbols;

  constructor(cpu: CpuCapability, memory: MemoryCapability, symbols: CommodoreSymbols) {
    this.#cpu = cpu;
    this.#memory = memory;
    this.#symbols = symbols;
  }

  async locals(index: number): Promise<readonly Variable[]> {
    const frame = await this.#frame(index);
    const found: Variable[] = [];
    for (const variable of frame.scope.variables) found.push(await this.#local(frame, variable));
    return found;
  }

  async variable(index: number, expression: string): Promise<Variable> {
    const { place, name } = await this.#find(index, expression);
    return this.#shown(place, name);
  }

  async parts(index: number, expression: string, { first, most }: PartRange): Promise<readonly Variable[]> {
    const { place } = await this.#find(index, expression);
    const count = numberBytes.has(place.bytes) ? 0 : Math.max(0, Math.min(most, place.bytes - first));
    const found: Variable[] = [];
    for (let n = first; n < first + count; n++) {
      const byte = { ...place, address: place.address + n, bytes: 1, name: `[${n}]` };
      found.push(await this.#shown(byte, `${place.name}[${n}]`));
    }
    return found;
  }

  async assign(index: number, expression: string, text: string): Promise<Variable> {
    const { place, name } = await this.#find(index, expression);
    if (!numberBytes.has(place.bytes)) {
      const why = `${name} has ${place.bytes} bytes, and is not a number.`;
      throw new MachineError('INVALID_ARGUMENT', why, `Change one of its bytes: ${name}[0].`);
    }
    const number = numberIn(text);
    const most = 2 ** (8 * place.bytes);
    if (number >= most || number < -most / 2) {
      const fix = `Use a value from ${-most / 2} to ${most - 1}.`;
      throw new MachineError('INVALID_ARGUMENT', `${number} does not fit into ${place.bytes} bytes.`, fix);
    }
    const bytes = Uint8Array.from({ length: place.bytes }, (_, n) => Math.floor(number / 256 ** n) & 0xff);
    await this.#memory.poke(this.#space, BigInt(place.address), bytes);
    return this.#shown(place, name);
  }

  /** A name, or a byte of something larger: `buffer[3]`. */
  async #find(index: number, expression: string): Promise<{ readonly place: Placed; readonly name: string }> {
    const [, name = '', digits] = /^\s*([A-Za-z_]\w*)\s*(?:\[\s*(\d{1,5})\s*\])?\s*$/.exec(expression) ?? [];
    const frame = await this.#frame(index).catch((error: unknown) => outside(error));
    const variable = frame?.scope.variables.find((each) => each.name === name);
    const place = frame && variable ? await this.#placed(frame, variable) : await this.#global(name);
    if (!place) {
      const fix =
        'Names are those of C: arguments, local variables and globals of a program with a debug file of cc65.';
      throw new MachineError('NOT_FOUND', `No variable ${expression.slice(0, 100)} is known here.`, fix);
    }
    if (digits === undefined) return { place, name };
    const at = Number(digits);
    if (at >= place.bytes) {
      throw new MachineError('INVALID_ARGUMENT', `${name} has ${place.bytes} bytes.`, `Use 0 to ${place.bytes - 1}.`);
    }
    return { place: { ...place, address: place.address + at, bytes: 1 }, name: `${name}[${at}]` };
  }

  async #global(name: string): Promise<Placed | undefined> {
    const found = this.#symbols.scopes
      .filter((scope) => scope.name === '')
      .flatMap(({ variables }) => variables)
      .find((each) => each.name === name);
    return found && { name, address: found.at, bytes: found.bytes ?? 1, isArgument: false };
  }

  async #local(frame: Frame, variable: FileVariable): Promise<Variable> {
    const { name } = variable;
    try {
      const place = await this.#placed(frame, variable);
      return { ...(await this.#shown(place, name)), isArgument: place.isArgument };
    } catch (error) {
      if (!(error instanceof MachineError)) throw error;
      const text = `(${error.message.replace(/\.$/, '')})`;
      return { name, text, type: '', address: undefined, bytes: 0, expression: undefined, parts: 0, isIndexed: false };
    }
  }

  async #placed({ scope, base, isInnermost, argumentBytes }: Frame, variable: FileVariable): Promise<Placed> {
    const { name, place, at } = variable;
    if (place === 'memory') return { name, address: at, bytes: variable.bytes ?? 1, isArgument: false };
    if (place === 'register') {
      const pointer = await this.#stackPointer();
      const bank = this.#symbols.address('regbank') ?? (pointer === undefined ? undefined : pointer + bankAfterPointer);
      if (bank === undefined || !isInnermost) throw unavailable('it is in a register of C, which others use by now');
      return { name, address: Number(bank) + at, bytes: sizeIn(scope, variable, bankBytes), isArgument: false };
    }
    if (base === undefined) throw unavailable('where the frame of its function lies is not known at this instruction');
    const size = sizeIn(scope, variable, at < 0 ? 0 : argumentBytes);
    return { name, address: (base + at) & 0xffff, bytes: size, isArgument: at >= 0 };
  }

  async #shown(place: Placed, expression: string): Promise<Variable> {
    const { address, bytes: length } = place;
    const isNumber = numberBytes.has(length);
    const bytes = await this.#read(address, isNumber ? length : Math.min(length, shownBytes));
    return {
      name: place.name,
      text: isNumber ? numberText(bytes) : `${hexText(bytes)}${length > shownBytes ? ' …' : ''}`,
      type: length === 1 ? '1 byte' : `${length} bytes`,
      ...{ address: BigInt(address), bytes: length, expression },
      ...{ parts: isNumber ? 0 : length, isIndexed: !isNumber },
    };
  }

  /** Which function, and where its frame lies: that of an outer one is found from those that it called. */
  async #frame(index: number): Promise<Frame> {
    const callers = index === 0 ? [] : await this.#cpu.callStack();
    const pointer = await this.#stackPointer();
    let stack = pointer === undefined ? undefined : wordOf(await this.#read(pointer, 2));
    let pc = Number(this.#cpu.pc);
    for (let n = 0; ; n++) {
      const scope = this.#scopeAt(pc);
      if (n === index && !scope) throw noVariables(pc);
      const code = scope && (await this.#code(scope));
      const depth = code && stackDepth(code, pc);
      const base = stack === undefined || depth === undefined ? undefined : stack + depth;
      if (n === index && scope)
        return { scope, base, isInnermost: n === 0, argumentBytes: await this.#argumentBytes(scope) };
      const caller = callers[n];
      if (!caller) throw noVariables(pc);
      // An interrupt leaves the stack of C as it is; a routine of the library may be about to change it.
      stack = caller.kind === 'interrupt' ? stack : code && base !== undefined ? base + entryPush(code) : undefined;
      pc = Number(caller.from);
      await nextTurn();
    }
  }

  /** Where C keeps the pointer of its stack: by its label, or as an instruction that uses it has it. */
  async #stackPointer(): Promise<number | undefined> {
    for (const { uses } of this.#symbols.scopes) {
      const places = uses.flatMap(({ name, at }) => (name === 'sp' || name === 'c_sp' ? at : []));
      for (const place of places.slice(0, mostUses)) {
        const [operation = 0, operand = 0] = await this.#read(place, 2);
        if ((operation & 0x1f) === throughPointer) return operand;
      }
    }
    for (const { uses } of this.#symbols.scopes) {
      for (const { name, at } of uses) {
        const found = stackRoutine.test(name) ? await this.#pointerIn(at[0]) : undefined;
        if (found !== undefined) return found;
      }
    }
    const label = this.#symbols.address('c_sp') ?? this.#symbols.address('sp');
    return label === undefined ? undefined : Number(label);
  }

  /** By the routine that is called there, whose first operand in the zero page it is. */
  async #pointerIn(at: number | undefined): Promise<number | undefined> {
    if (at === undefined) return undefined;
    const [operation, low = 0, high = 0] = await this.#read(at, 3);
    if (operation !== callOperation) return undefined;
    const bytes = await this.#read(low | (high << 8), routineBytes);
    for (let offset = 0; offset < bytes.length - 1; ) {
      const { mode, length } = opcodes[bytes[offset] ?? 0] ?? { mode: 'implied', length: 1 };
      if (mode === 'zeropage' || mode === '(zeropage),y') return bytes[offset + 1];
      offset += length;
    }
    return undefined;
  }

  #scopeAt(pc: number): FileScope | undefined {
    return this.#symbols.scopes.find(({ address, length }) => pc >= address && pc < address + length);
  }

  async #code(scope: FileScope): Promise<FunctionCode> {
    const labels = this.#symbols;
    const bare = await this.#bareCode(scope);
    const called = callsIn(bare.bytes);
    const callees = new Map<number, number>();
    for (const callee of labels.scopes) {
      const isCalled = callee.length > 0 && called.has(callee.address) && callees.size < mostCallees;
      if (isCalled) callees.set(callee.address, await this.#pushedFor(callee));
    }
    return {
      ...bare,
      isLine: (address) => labels.beginsLine(address),
      takenBy: (address) => callees.get(address),
    };
  }

  async #bareCode(scope: FileScope): Promise<FunctionCode> {
    const bytes = await this.#read(scope.address, Math.min(scope.length, longestFunction));
    const used = new Map(scope.uses.flatMap(({ name, at }) => at.map((place) => [place, name] as const)));
    const label = (at: number) => {
      const offset = at - scope.address + 1;
      return this.#symbols.labelAt(wordOf(bytes.subarray(offset, offset + 2)));
    };
    const calledAt = (address: number) => used.get(address) ?? label(address);
    return { scope, bytes, calledAt, isLine: () => false, takenBy: () => undefined };
  }

  /** What callers put on the stack for it. */
  async #pushedFor(scope: FileScope): Promise<number> {
    return (await this.#argumentBytes(scope)) - entryPush(await this.#bareCode(scope));
  }

  /** Of all arguments together: what the function takes from the stack at its end, less its variables. */
  async #argumentBytes(scope: FileScope): Promise<number> {
    const offsets = scope.variables.filter(({ place }) => place === 'stack').map(({ at }) => at);
    const highest = Math.max(-1, ...offsets);
    if (highest < 0) return 0;
    const end = takenAtEnd(await this.#bareCode(scope));
    // A function that never returns: an int is the likeliest.
    return end === undefined ? highest + 2 : Math.max(highest + 1, end + Math.min(0, ...offsets));
  }

  get #space(): string {
    return this.#memory.spaces[0]?.name ?? 'cpu';
  }

  #read(address: number, length: number): Promise<Uint8Array> {
    return this.#memory.peek(this.#space, BigInt(address), Math.min(length, 0x10000 - address));
  }
}

/** Up to the next one, or to where those of its sort end. */
function sizeIn({ variables }: FileScope, { place, at }: FileVariable, end: number): number {
  const higher = variables.filter((each) => each.place === place && each.at > at && (at >= 0 || each.at < 0));
  return Math.max(1, Math.min(end, ...higher.map((each) => each.at)) - at);
}

/** All that may be called by this code. */
function callsIn(bytes: Uint8Array): ReadonlySet<number> {
  const found = new Set<number>();
  for (let at = bytes.indexOf(0x20); at >= 0; at = bytes.indexOf(0x20, at + 1)) {
    found.add(wordOf(bytes.subarray(at + 1, at + 3)));
  }
  return found;
}

function wordOf(bytes: Uint8Array): number {
  return (bytes[0] ?? 0) | ((bytes[1] ?? 0) << 8);
}

/** As both signs have it, since nobody says which it is. */
function numberText(bytes: Uint8Array): string {
  const number = bytes.reduceRight((sum, byte) => sum * 256 + byte, 0);
  const most = 2 ** (8 * bytes.length);
  const [byte = 0] = bytes;
  const letter = bytes.length === 1 && byte >= 0x20 && byte < 0x7f ? ` '${String.fromCharCode(byte)}'` : '';
  const hex = bytes.length > 1 ? ` (0x${number.toString(16)})` : letter;
  return number >= most / 2 ? `${number} or ${number - most}${hex}` : `${number}${hex}`;
}

function hexText(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('hex')
    .replace(/..(?=.)/g, '$& ');
}

function numberIn(text: string): number {
  const trimmed = text.trim().replace(/^\$(?=[0-9a-f])/i, '0x');
  if (/^-?(?:0x[0-9a-f]{1,8}|\d{1,10})$/i.test(trimmed)) {
    return trimmed.startsWith('-') ? -Number(trimmed.slice(1)) : Number(trimmed);
  }
  const [, letter] = /^'([ -~])'$/.exec(trimmed) ?? [];
  if (letter !== undefined) return letter.charCodeAt(0);
  throw new MachineError(
    'INVALID_ARGUMENT',
    `${trimmed.slice(0, 40)} is not a number.`,
    "Write 12, -3, $0c, 0x0c or 'A'.",
  );
}

function unavailable(why: string): MachineError {
  return new MachineError('UNAVAILABLE', `${why}.`, 'Step to the beginning of a line of C.');
}

function noVariables(pc: number): MachineError {
  return new MachineError(
    'NOT_FOUND',
    `No variables are known at $${hex(pc)}.`,
    advice`Load the debug file of a C program of cc65 (cl65 -g -Wl --dbgfile,FILE) with ${call('symbols_load')}.`,
  );
}

function outside(error: unknown): undefined {
  if (error instanceof MachineError) return undefined;
  throw error;
}
