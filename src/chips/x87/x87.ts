import type { RegisterAction } from './actions.ts';
import { loadEnvironment, storeEnvironment } from './environment.ts';
import { fields, stateWords, type X87State } from './fields.ts';
import { numericForms, placesOf } from './forms.ts';
import { memoryActions } from './memory-instructions.ts';
import type { CoprocessorModel } from './models.ts';
import { type Real, setIndefinite } from './real.ts';
import { registerActions } from './register-instructions.ts';
import { exception, tolerate, Work } from './work.ts';

export interface X87Wires {
  /** An exception that is not masked has come up: the INT or ERROR pin. */
  error(): void;
}

const anyException = 0x3f;
/** Of these, when they are not masked, nothing is computed; of those below precision nothing is stored to memory. */
const before = exception.invalid | exception.denormal | exception.zeroDivide;
const beforeStore = before | exception.overflow | exception.underflow;
const conditionC1 = 0x200;
const topShift = 11;

/**
 * Intel 8087, 80287, 80387: the register stack, what surrounds it, and its instructions by their 11 bits.
 *
 * Results are rounded as the chips round them, in all modes and precisions. Transcendental functions are computed with 144
 * bits and then rounded: a real chip may differ from that in its last bit. Sources: Intel 8087 data sheet (1985), 80387
 * Programmer's Reference Manual (1987). Not emulated: the unnormal results of the 8087 and 80287, which here are
 * normalised; time, so that an instruction never has to wait for the one before it.
 */
export class X87 {
  readonly model: CoprocessorModel;
  readonly work: Work;
  /** The operand in memory, its lowest word first. */
  readonly operand = new Int32Array(3);
  readonly #s: X87State;
  readonly #wires: X87Wires;
  readonly #stackFault: number;
  readonly #actions: readonly (RegisterAction | undefined)[];

  constructor(model: CoprocessorModel, state: Int32Array, wires: X87Wires) {
    if (state.length < stateWords) throw new RangeError(`the state needs ${stateWords} words`);
    this.model = model;
    this.work = new Work(model === '80387');
    this.#s = state as X87State;
    this.#wires = wires;
    this.#actions = actionsOf(model);
    this.#stackFault = exception.invalid | (model === '80387' ? exception.stackFault : 0);
  }

  powerOn(): void {
    this.#s.fill(0);
    this.initialise();
  }

  /** FNINIT. */
  initialise(): void {
    const s = this.#s;
    s[fields.control] = this.model === '8087' ? 0x3ff : 0x37f;
    s[fields.status] = 0;
    s[fields.full] = 0;
    s.fill(0, fields.opcode, fields.protectedMode);
  }

  /** All of it, for generated code. */
  get state(): X87State {
    return this.#s;
  }

  /** An instruction without an operand in memory. */
  execute(opcode: number): void {
    this.#actions[((opcode >> 2) & 0x1c0) | (opcode & 0x3f)]?.(this, opcode & 7);
  }

  /** An instruction with one, which is read from `operand` or left there. False when nothing is to be stored. */
  access(opcode: number): boolean {
    return memoryActions[((opcode >> 5) & 0x38) | ((opcode >> 3) & 7)]?.(this) ?? false;
  }

  /** Notes where the instruction stands that is about to compute. */
  remember(opcode: number, segment: number, offset: number): void {
    const s = this.#s;
    s[fields.opcode] = opcode;
    s[fields.instructionSegment] = segment;
    s[fields.instructionOffset] = offset;
  }

  rememberOperand(segment: number, offset: number): void {
    this.#s[fields.operandSegment] = segment;
    this.#s[fields.operandOffset] = offset;
  }

  /** The seven words of the environment, as they are stored with 16 or 32 bits each. */
  environment(wide: boolean): number[] {
    return storeEnvironment(this.#s, this.tags, wide);
  }

  setEnvironment(words: readonly number[], wide: boolean): void {
    const tags = loadEnvironment(this.#s, words, wide);
    // What the new control word does not mask is judged by the new status alone.
    this.#s[fields.status] = 0;
    this.control = words[0];
    this.tags = tags;
    this.status = words[1];
  }

  get control(): number {
    return this.#s[fields.control];
  }

  set control(value: number) {
    this.#s[fields.control] = (value & (this.model === '8087' ? 0x1fbf : 0x1f3f)) | 0x40;
    this.#summarise();
  }

  get status(): number {
    return this.#s[fields.status];
  }

  set status(value: number) {
    this.#s[fields.status] = value & 0xffff;
    this.#summarise();
  }

  /** Two bits for each register: a number, zero, something else, empty. */
  get tags(): number {
    let tags = 0;
    for (let register = 0; register < 8; register += 1) tags |= this.#tag(register) << (register * 2);
    return tags;
  }

  set tags(value: number) {
    let full = 0;
    for (let register = 0; register < 8; register += 1) {
      if (((value >> (register * 2)) & 3) !== 3) full |= 1 << register;
    }
    this.#s[fields.full] = full;
  }

  #tag(register: number): number {
    const s = this.#s;
    if ((s[fields.full] & (1 << register)) === 0) return 3;
    const exponent = s[fields.head + register] & 0x7fff;
    const high = s[fields.high + register];
    if (exponent === 0 && (high | s[fields.low + register]) === 0) return 1;
    return exponent === 0 || exponent === 0x7fff || high >= 0 ? 2 : 0;
  }

  /** True when a register of the stack is empty. */
  isEmpty(index: number): boolean {
    return (this.#s[fields.full] & (1 << this.#register(index))) === 0;
  }

  get isInUse(): boolean {
    return this.#s[fields.full] !== 0;
  }

  /** What a register of the stack holds, bit for bit. */
  read(index: number, real: Real): Real {
    take(this.#s, this.#register(index), real);
    return real;
  }

  /** The top and another register as the operands of an operation that begins; false when one of them is empty. */
  beginWith(index: number): boolean {
    const s = this.#s;
    const work = this.work.begin(s[fields.control]);
    const top = (s[fields.status] >> topShift) & 7;
    const other = (top + index) & 7;
    const full = s[fields.full];
    if (((full >> top) & (full >> other) & 1) === 0) return false;
    take(s, top, work.a);
    take(s, other, work.b);
    if (!work.modern) {
      tolerate(work.a);
      tolerate(work.b);
    }
    return true;
  }

  /** Exchanges the top with another register; false, and nothing is done, when one of them is empty. */
  exchange(index: number): boolean {
    const s = this.#s;
    const top = (s[fields.status] >> topShift) & 7;
    const other = (top + index) & 7;
    const full = s[fields.full];
    if (((full >> top) & (full >> other) & 1) === 0) return false;
    const low = s[fields.low + top];
    const high = s[fields.high + top];
    const head = s[fields.head + top];
    s[fields.low + top] = s[fields.low + other];
    s[fields.high + top] = s[fields.high + other];
    s[fields.head + top] = s[fields.head + other];
    s[fields.low + other] = low;
    s[fields.high + other] = high;
    s[fields.head + other] = head;
    s[fields.status] &= ~conditionC1;
    return true;
  }

  /** The same as an operand to compute with. */
  fetch(index: number, real: Real): void {
    this.read(index, real);
    if (!this.work.modern) tolerate(real);
  }

  put(index: number, { sign, exponent, high, low }: Real): void {
    const s = this.#s;
    const register = this.#register(index);
    s[fields.head + register] = (sign << 15) | exponent;
    s[fields.high + register] = high;
    s[fields.low + register] = low;
    s[fields.full] |= 1 << register;
  }

  free(index: number): void {
    this.#s[fields.full] &= ~(1 << this.#register(index));
  }

  pop(): void {
    this.free(0);
    this.rotate(1);
  }

  rotate(by: 1 | -1): void {
    const s = this.#s;
    const top = ((s[fields.status] >> topShift) + by) & 7;
    s[fields.status] = (s[fields.status] & ~(7 << topShift)) | (top << topShift);
  }

  /** An instruction begins. */
  begin(): Work {
    return this.work.begin(this.#s[fields.control]);
  }

  /** Something was to be taken from an empty register, or (`above`) to be put into a full one. */
  stackFault(above: 0 | 1): void {
    const { work } = this;
    work.flags = this.#stackFault;
    work.roundedUp = above;
    setIndefinite(work.result);
  }

  /** Reports what the instruction met. False when there is no result. */
  settle(): boolean {
    return (this.#report() & before) === 0;
  }

  /** The same for one that stores to memory. */
  settleStore(): boolean {
    return (this.#report() & beforeStore) === 0;
  }

  /** Puts the result on the stack, after reporting. */
  push(): void {
    if (!this.isEmpty(7)) this.stackFault(1);
    if (!this.settle()) return;
    this.rotate(-1);
    this.put(0, this.work.result);
  }

  /** FENI and FDISI. */
  set interruptsOff(off: boolean) {
    const s = this.#s;
    if (this.model !== '8087') return;
    s[fields.control] = (s[fields.control] & ~0x80) | (off ? 0x80 : 0);
    if (!off && (s[fields.status] & 0x80) !== 0) this.#wires.error();
  }

  /** FSETPM; the 80387 knows on its own. */
  enterProtectedMode(): void {
    if (this.model === '80287') this.#s[fields.protectedMode] = 1;
  }

  #register(index: number): number {
    return ((this.#s[fields.status] >> topShift) + index) & 7;
  }

  /** Gives the exceptions that are not masked. */
  #report(): number {
    const s = this.#s;
    const { work } = this;
    // What is not computed has no other exceptions.
    if ((work.flags & ~s[fields.control] & before) !== 0) work.flags &= before | exception.stackFault;
    const { flags, roundedUp } = work;
    s[fields.status] = (s[fields.status] & ~conditionC1) | flags | (roundedUp * conditionC1);
    if (flags === 0) return 0;
    const unmasked = flags & ~s[fields.control] & anyException;
    if (unmasked !== 0) this.#summarise();
    return unmasked;
  }

  /** The summary bit, and its pin. */
  #summarise(): void {
    const s = this.#s;
    const wasSet = (s[fields.status] & 0x80) !== 0;
    s[fields.status] &= ~0x8080;
    if ((s[fields.status] & ~s[fields.control] & anyException) === 0) return;
    s[fields.status] |= this.model === '80387' ? 0x8080 : 0x80;
    const isOff = this.model === '8087' && (s[fields.control] & 0x80) !== 0;
    if (!wasSet && !isOff) this.#wires.error();
  }
}

function take(s: X87State, register: number, real: Real): void {
  const head = s[fields.head + register];
  real.sign = head >>> 15;
  real.exponent = head & 0x7fff;
  real.high = s[fields.high + register];
  real.low = s[fields.low + register];
}

/** What a model does not know does nothing. */
function actionsOf(model: CoprocessorModel): readonly (RegisterAction | undefined)[] {
  const known = new Set(
    numericForms(model).flatMap((form) => {
      const { opcode, places } = placesOf(form);
      return places.filter((place) => place >= 8).map((place) => ((opcode & 7) << 6) + place - 8);
    }),
  );
  return registerActions.map((action, index) => (known.has(index) ? action : undefined));
}
