import { at } from '../../../formats/dwarf/dwarf-constants.ts';
import type { DwarfIndex } from '../../../formats/dwarf/dwarf-index.ts';
import { type DwarfType, TypeReader, textOf } from '../../../formats/dwarf/dwarf-types.ts';
import type { DwarfEntry } from '../../../formats/dwarf/dwarf-unit.ts';
import { evaluateLocation, expressionAt, type FrameContext, type Location } from '../../../formats/dwarf/location.ts';
import { functionOf, originOf, type ScopedVariable, variablesAt } from '../../../formats/dwarf/scope.ts';
import { MachineError } from '../../../machine/errors.ts';
import { ifThere } from '../debug/if-there.ts';
import { valueToBytes } from '../debug/register-bytes.ts';
import type { Target } from '../debug/target.ts';
import { type FrameState, frameStates } from '../debug/unwind.ts';
import type { LoadedDwarf, QemuSymbols } from '../symbols/qemu-symbols.ts';
import type { EvaluationScope } from './evaluator.ts';
import { maxBytes, type TypedValue } from './typed-value.ts';

const readers = new WeakMap<DwarfIndex, TypeReader>();

/** The innermost frames, at most so many; there is always one. */
export async function scopesOf(target: Target, symbols: QemuSymbols, most: number): Promise<SourceScope[]> {
  const scopes: SourceScope[] = [];
  const pointerBytes = await target.pointerBytes();
  for await (const state of frameStates(target, symbols)) {
    const memory = (address: bigint, length: number) => ifThere(target.memory(BigInt.asUintN(64, address), length));
    // A call returns to the next instruction, which may belong to another block.
    const place = state.isExact ? state.pc : state.pc - 1n;
    const frame = { pc: place, offset: 0n, register: state.registers, cfa: state.cfa, memory };
    scopes.push(new SourceScope(target, symbols, frame, state, pointerBytes, scopes.length === 0));
    if (scopes.length >= most) break;
  }
  return scopes;
}

/** The names that can be used in one frame of a stopped machine. */
export class SourceScope implements EvaluationScope {
  readonly pc: bigint;
  readonly pointerBytes: number;
  readonly bigEndian: boolean;
  readonly function: DwarfEntry | undefined;
  readonly #target: Target;
  readonly #symbols: QemuSymbols;
  readonly #frame: FrameContext;
  readonly #state: FrameState;
  readonly #isInnermost: boolean;
  readonly #program: LoadedDwarf | undefined;
  #variables: readonly ScopedVariable[] | undefined;

  constructor(
    target: Target,
    symbols: QemuSymbols,
    frame: FrameContext,
    state: FrameState,
    pointerBytes: number,
    isInnermost: boolean,
  ) {
    this.#target = target;
    this.#symbols = symbols;
    this.#frame = frame;
    this.pc = state.pc;
    this.#state = state;
    this.pointerBytes = pointerBytes;
    this.bigEndian = target.bigEndian;
    this.#isInnermost = isInnermost;
    this.#program = symbols.dwarfAt(frame.pc);
    this.function = this.#program?.index.functionAt(frame.pc - this.#program.offset);
  }

  get variables(): readonly ScopedVariable[] {
    if (!this.#program || !this.function) return [];
    const { index, offset } = this.#program;
    this.#variables ??= variablesAt(index, this.function, this.#frame.pc - offset);
    return this.#variables;
  }

  read(address: bigint, length: number): Promise<Uint8Array | undefined> {
    return length === 0 ? Promise.resolve(new Uint8Array()) : this.#frame.memory(address, length);
  }

  async variable(name: string): Promise<TypedValue | undefined> {
    const local = this.variables.find((each) => each.name === name);
    if (local && this.#program) return this.#value(this.#program, local.entry, local.origin);
    for (const program of this.#programs()) {
      const entry = program.index.variable(name);
      if (entry) return this.#value(program, entry, originOf(program.index, entry));
    }
    return undefined;
  }

  async register(name: string): Promise<{ value: bigint; bits: number } | undefined> {
    const found = this.#target.names.find(name);
    if (!found || found.bits > 64) return undefined;
    if (!this.#isInnermost && !/^(?:pc|[er]ip)$/i.test(name)) {
      throw new MachineError('UNAVAILABLE', 'Registers are those of the innermost frame.', 'Leave frame out.');
    }
    return { value: this.#isInnermost ? await this.#target.value(name) : this.pc, bits: found.bits };
  }

  type(name: string): DwarfType | undefined {
    for (const { index } of this.#programs()) {
      const entry = index.type(name);
      if (entry) return readerOf(index).read(entry);
    }
    return undefined;
  }

  symbol(name: string): bigint | undefined {
    return this.#symbols.address(name);
  }

  /** The one of this place first. */
  #programs(): readonly LoadedDwarf[] {
    const all = this.#symbols.dwarfs;
    return this.#program ? [this.#program, ...all.filter((each) => each !== this.#program)] : all;
  }

  async #value({ index, offset }: LoadedDwarf, entry: DwarfEntry, origin: DwarfEntry): Promise<TypedValue> {
    const typed = entry.attributes.has(at.type) ? entry : origin;
    const type = readerOf(index).of(typed);
    const constant = entry.attributes.get(at.constValue) ?? origin.attributes.get(at.constValue);
    if (constant?.type === 'number' && type.bytes > maxBytes) throw unavailable('it is too large to be shown');
    if (constant?.type === 'number')
      return { type, bytes: valueToBytes(BigInt.asUintN(8 * type.bytes, constant.value), type.bytes, this.bigEndian) };
    if (constant?.type === 'block') return { type, bytes: constant.value };
    const { unit } = entry;
    const frame = { ...this.#frame, pc: this.#frame.pc - offset, offset };
    const expression = expressionAt(entry.attributes.get(at.location), unit, frame.pc);
    if (!expression) {
      const place = this.#linked(entry);
      if (place !== undefined) return { type, address: place };
      throw unavailable('optimised out');
    }
    const location = await evaluateLocation(expression, unit, frame, () => this.#frameBase(entry, frame));
    return this.#at(location, type);
  }

  /** Some compilers leave out where a variable is that the linker knows by name. */
  #linked(entry: DwarfEntry): bigint | undefined {
    const name = entry.attributes.has(at.location) ? '' : textOf(entry, at.linkageName);
    return name === '' ? undefined : this.#symbols.linkedAddress(name);
  }

  async #frameBase(entry: DwarfEntry, frame: FrameContext): Promise<bigint | undefined> {
    const owner = functionOf(entry);
    const expression = owner && expressionAt(owner.attributes.get(at.frameBase), owner.unit, frame.pc);
    if (!owner || !expression) return undefined;
    const location = await evaluateLocation(expression, owner.unit, frame, async () => undefined);
    if (location.type === 'memory') return location.address;
    return location.type === 'register' ? frame.register(location.number) : undefined;
  }

  async #at(location: Location, type: DwarfType): Promise<TypedValue> {
    switch (location.type) {
      case 'memory':
        return { type, address: location.address };
      case 'lost':
        throw unavailable(location.why);
      case 'register': {
        // What registers were in outer frames lies on the stack.
        const register = this.#isInnermost ? this.#state.nameOf(location.number) : undefined;
        const bytes = await this.#bytes(location, type.bytes);
        return { type, bytes, ...(register !== undefined && { register }) };
      }
      default:
        return { type, bytes: await this.#bytes(location, type.bytes) };
    }
  }

  async #bytes(location: Location, length: number): Promise<Uint8Array> {
    if (length > maxBytes) throw unavailable('it is too large to be shown');
    if (location.type === 'bytes') return location.bytes;
    if (location.type === 'value')
      return valueToBytes(BigInt.asUintN(8 * length, location.value), length, this.bigEndian);
    if (location.type === 'register') {
      const value = await this.#frame.register(location.number);
      if (value === undefined) throw unavailable('the register that holds it is not known in this frame');
      return valueToBytes(BigInt.asUintN(8 * length, value), length, this.bigEndian);
    }
    if (location.type === 'memory') {
      const bytes = await this.#frame.memory(location.address, length);
      if (bytes) return bytes;
    }
    if (location.type !== 'pieces') throw unavailable(location.type === 'lost' ? location.why : 'it cannot be read');
    const parts: Uint8Array[] = [];
    let left = maxBytes;
    for (const piece of location.pieces) {
      left -= piece.bytes;
      if (left < 0) throw unavailable('it is too large to be shown');
      parts.push(await this.#bytes(piece.location, piece.bytes));
    }
    return Buffer.concat(parts);
  }
}

function readerOf(index: DwarfIndex): TypeReader {
  const known =
    readers.get(index) ??
    new TypeReader(
      (offset) => index.entry(offset),
      (name) => index.type(name),
    );
  readers.set(index, known);
  return known;
}

function unavailable(why: string): MachineError {
  return new MachineError('UNAVAILABLE', `${why}.`, 'Look at another frame, or build with less optimisation.');
}
