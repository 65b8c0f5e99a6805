import { MachineError } from '../../../machine/errors.ts';
import type { MemoryCapability } from '../../../machine/memory.ts';
import type { PartRange, Variable, VariablesCapability } from '../../../machine/variables.ts';
import type { QemuCpu } from '../debug/qemu-cpu.ts';
import { bytesToValue } from '../debug/register-bytes.ts';
import { evaluateTyped } from './evaluator.ts';
import { inFrame, type Stopped } from './in-frame.ts';
import { newValue } from './new-value.ts';
import { noInformation } from './qemu-source.ts';
import type { SourceScope } from './source-scope.ts';
import { parseTyped } from './typed-expression.ts';
import { maxNumberBytes, type TypedValue } from './typed-value.ts';
import { noParts, partsOf } from './value-parts.ts';
import { ValueWriter } from './value-text.ts';

const mostLocals = 200;
const reach = 256n;
/** Members that are shown in the line of a structure. */
const shownDepth = 1;

/** Variables of the guest's program by the debug information of its file. */
export class QemuVariables implements VariablesCapability {
  readonly #stopped: Stopped;
  readonly #memory: MemoryCapability;
  readonly #cpu: QemuCpu;

  constructor(stopped: Stopped, memory: MemoryCapability, cpu: QemuCpu) {
    this.#stopped = stopped;
    this.#memory = memory;
    this.#cpu = cpu;
  }

  locals(frame: number): Promise<readonly Variable[]> {
    return inFrame(this.#stopped, frame, async (scope) => {
      if (!scope.function) throw noInformation(scope.pc);
      const found: Variable[] = [];
      for (const { name, isArgument } of scope.variables.slice(0, mostLocals)) {
        found.push({ ...(await this.#within(scope, name, name)), isArgument });
      }
      return found;
    });
  }

  variable(frame: number, expression: string): Promise<Variable> {
    return inFrame(this.#stopped, frame, async (scope) =>
      this.#shown(scope, expression, expression, await evaluated(expression, scope)),
    );
  }

  parts(frame: number, expression: string, range: PartRange): Promise<readonly Variable[]> {
    return inFrame(this.#stopped, frame, async (scope) => {
      const all = await partsOf(await evaluated(expression, scope), scope);
      const found: Variable[] = [];
      for (const part of all.list(expression, range)) found.push(await this.#within(scope, part.name, part.expression));
      return found;
    });
  }

  async assign(frame: number, expression: string, text: string): Promise<Variable> {
    const { target, bytes, bigEndian } = await inFrame(this.#stopped, frame, async (scope) => {
      const place = await evaluated(expression, scope);
      return { target: place, bytes: await newValue(place, text, scope), bigEndian: scope.bigEndian };
    });
    const [space] = this.#memory.spaces;
    if (target.address !== undefined && space) await this.#memory.poke(space.name, target.address, bytes);
    else if (target.register !== undefined) await this.#setRegister(target.register, bytes, bigEndian);
    else {
      const why = `${expression.slice(0, 100)} has no place of its own now, neither in memory nor in a register.`;
      throw new MachineError('UNAVAILABLE', why, 'Change what it is worked out from.');
    }
    return this.variable(frame, expression);
  }

  /** A narrower value leaves the upper bits of its register alone. */
  async #setRegister(name: string, bytes: Uint8Array, bigEndian: boolean): Promise<void> {
    const bits = BigInt(8 * bytes.length);
    const before = await this.#cpu.register(name);
    await this.#cpu.setRegister(name, ((before >> bits) << bits) | bytesToValue(bytes, bigEndian));
  }

  /** What cannot be read says why, among others that can. */
  async #within(scope: SourceScope, name: string, expression: string): Promise<Variable> {
    try {
      return await this.#shown(scope, name, expression, await evaluated(expression, scope));
    } catch (error) {
      if (!(error instanceof MachineError)) throw error;
      const text = `(${error.message.replace(/\.$/, '')})`;
      return { name, text, type: '', address: undefined, bytes: 0, expression: undefined, parts: 0, isIndexed: false };
    }
  }

  async #shown(scope: SourceScope, name: string, expression: string, value: TypedValue): Promise<Variable> {
    const names = { nameOf: (address: bigint) => this.#stopped.symbols.nameOf(address, reach) };
    const text = await new ValueWriter(scope, names).text(value, shownDepth);
    const isTooWide = value.type.kind === 'pointer' && value.type.bytes > maxNumberBytes;
    const { count, isIndexed } = isTooWide ? noParts : await partsOf(value, scope);
    const { name: type, bytes } = value.type;
    return { name, text, type, address: value.address, bytes, expression, parts: count, isIndexed };
  }
}

async function evaluated(expression: string, scope: SourceScope): Promise<TypedValue> {
  return evaluateTyped(
    parseTyped(expression, (name) => scope.type(name) !== undefined),
    scope,
  );
}
