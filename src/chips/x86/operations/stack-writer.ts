import type { Core } from '../core.ts';
import { faultVectors } from '../fault-vectors.ts';
import { fields, toRights } from '../registers.ts';
import { rightsBits } from '../rights.ts';
import { baseOf, checkStack, type Descriptor, limitOf, putSegment, rightsOf } from '../segments.ts';
import { codeOf } from './gates.ts';

const { invalidTask, stackFault } = faultVectors;

/** Pushes that take effect together: a fault in between leaves the registers as they were. */
export class StackWriter {
  readonly #core: Core;
  readonly #descriptor: Descriptor | null;
  readonly #selector: number;
  readonly #base: number;
  readonly #limit: number;
  readonly #rights: number;
  readonly #asUser: boolean;
  readonly #external: number;
  #offset: number;

  private constructor(
    core: Core,
    stack: { descriptor: Descriptor | null; selector: number; base: number; limit: number; rights: number },
    offset: number,
    asUser: boolean,
    external: number,
  ) {
    this.#core = core;
    this.#descriptor = stack.descriptor;
    this.#selector = stack.selector;
    this.#base = stack.base;
    this.#limit = stack.limit;
    this.#rights = stack.rights;
    this.#offset = offset;
    this.#asUser = asUser;
    this.#external = external;
  }

  /** The present stack. */
  static here(core: Core, external = 0): StackWriter {
    const { words } = core;
    const stack = {
      descriptor: null,
      selector: words[fields.ss],
      base: words[fields.ssBase],
      limit: words[fields.ssLimit] >>> 0,
      rights: words[fields.ss + toRights],
    };
    return new StackWriter(core, stack, words[fields.esp], core.isUser, external);
  }

  /** The stack that the task has for a more privileged level. Where it has 16 bits, the upper half of ESP stays as it is. */
  static inner(core: Core, level: number, external: number): StackWriter {
    const { words } = core;
    const isWide = (words[fields.taskRights] & 0x08) !== 0;
    const at = isWide ? 4 + level * 8 : 2 + level * 4;
    const task = words[fields.taskBase];
    const code = codeOf(words[fields.task]) | external;
    if (at + (isWide ? 5 : 3) > words[fields.taskLimit] >>> 0) core.fault(invalidTask, code);
    const width = isWide ? 32 : 16;
    const pointer = core.readLinear(width, (task + at) >>> 0, false);
    const selector = core.readLinear(16, (task + at + (isWide ? 4 : 2)) >>> 0, false);
    const descriptor = checkStack(core, selector, level, invalidTask, external);
    const rights = rightsOf(descriptor);
    const stack = { descriptor, selector, base: baseOf(descriptor), limit: limitOf(descriptor), rights };
    const offset = rights & rightsBits.wide ? pointer : (words[fields.esp] & ~0xffff) | (pointer & 0xffff);
    return new StackWriter(core, stack, offset, level === 3, external);
  }

  push(width: number, value: number): void {
    const bytes = width >> 3;
    const isWide = (this.#rights & rightsBits.wide) !== 0;
    const offset = isWide ? (this.#offset - bytes) >>> 0 : (this.#offset - bytes) & 0xffff;
    const last = offset + bytes - 1;
    const most = isWide ? 0xffffffff : 0xffff;
    const fits = this.#rights & rightsBits.downwards ? offset > this.#limit && last <= most : last <= this.#limit;
    if (!fits) {
      const isOther = this.#descriptor !== null;
      this.#core.fault(stackFault, isOther ? codeOf(this.#selector) | this.#external : this.#external);
    }
    const linear = (this.#base + offset) >>> 0;
    if (this.#asUser) this.#core.checkAlignment(linear, bytes);
    this.#core.writeLinear(width, linear, value, this.#asUser);
    this.#offset = isWide ? offset : (this.#offset & ~0xffff) | offset;
  }

  /** Makes it the stack. */
  done(): void {
    const { words } = this.#core;
    if (this.#descriptor) putSegment(this.#core, fields.ss, this.#selector, this.#descriptor);
    words[fields.esp] = this.#offset;
  }
}
