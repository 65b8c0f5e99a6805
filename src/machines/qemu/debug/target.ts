import type { TargetDescription, TargetRegister } from '../../../links/gdb/target-description.ts';
import { type Architecture, architectureOf } from './architecture.ts';
import { ifThere } from './if-there.ts';
import { described } from './known-registers.ts';
import type { Piece } from './memory-map.ts';
import { bytesToValue, valueToBytes } from './register-bytes.ts';
import { placesOf, RegisterFile, type RegisterPlaces } from './register-file.ts';
import { RegisterNames } from './register-names.ts';
import type { Monitor, Stub } from './stub.ts';
import { parseSegments, SegmentCache, type X86Segments } from './x86-segments.ts';

/** Of CPSR: Thumb, and 32 bits on a processor that has 64. */
const armState = 0x30n;

/** As monitors write it: `PC=40000400`, `pc: 00000000`, `PC      fffffc0000000000`. */
const pcForm = /\bpc\s*[=:]?\s*(?:0x)?([0-9a-f]{1,16})\b/i;

/** The stopped target behind the stub: its processors' registers and memory. Remembers what it read until it moves. */
export class Target {
  readonly gdb: Stub;
  readonly qmp: Monitor;
  readonly architecture: Architecture;
  readonly description: TargetDescription;
  readonly names: RegisterNames;
  /** Of a processor whose registers nobody knows; the monitor tells it. */
  #toldPc: bigint | undefined;
  #bigEndian: boolean;
  #known: RegisterFile | undefined;
  #places: RegisterPlaces = new Uint32Array();
  #generalBytes: number | undefined;
  #thread: string;
  #selected: string | undefined;
  readonly #segments: SegmentCache | undefined;
  readonly isPower: boolean;

  constructor(gdb: Stub, qmp: Monitor, arch: string, thread: string) {
    this.gdb = gdb;
    this.qmp = qmp;
    this.architecture = architectureOf(arch);
    this.#bigEndian = this.architecture.bigEndian;
    this.description = described(gdb.description, arch);
    this.names = new RegisterNames(this.description, this.architecture);
    this.#thread = thread;
    this.isPower = arch.startsWith('ppc');
    if (this.isX86) this.#segments = new SegmentCache(this.names);
  }

  /** The processor in question. */
  get thread(): string {
    return this.#thread;
  }

  focus(thread: string): void {
    if (this.#thread !== thread) this.forget();
    this.#thread = thread;
  }

  /** Does something with another processor in question. */
  async on<T>(thread: string, action: () => Promise<T>): Promise<T> {
    const before = this.#thread;
    this.focus(thread);
    try {
      return await action();
    } finally {
      this.focus(before);
    }
  }

  get cpuIndex(): number {
    return cpuIndexOf(this.#thread);
  }

  /** It has moved. */
  forget(): void {
    this.#known = undefined;
    this.#toldPc = undefined;
  }

  /** How numbers lie in memory and in what the stub sends. */
  get bigEndian(): boolean {
    return this.#bigEndian;
  }

  /** The registers that come together, by number. */
  async general(): Promise<RegisterFile> {
    if (this.#known) return this.#known;
    if (this.#selected !== this.#thread) await this.#select();
    const bytes = await this.gdb.readAll();
    if (this.#generalBytes !== bytes.length) this.#places = placesOf(this.description.registers, bytes.length);
    this.#generalBytes = bytes.length;
    this.#bigEndian = this.#orderOf(bytes);
    const values = new RegisterFile(bytes, this.#places, this.#bigEndian);
    this.#known = values;
    return values;
  }

  async register({ number }: TargetRegister): Promise<bigint> {
    const general = await this.general();
    const known = general.get(number);
    if (known !== undefined) return known;
    await this.#select();
    const value = bytesToValue(await this.gdb.readRegister(number), this.#bigEndian);
    general.set(number, value);
    return value;
  }

  /** What is there afterwards: some registers take only a part, or nothing. */
  async setRegister(register: TargetRegister, value: bigint): Promise<bigint> {
    const { nextPc } = this.architecture;
    const next = register === this.names.pc && nextPc ? this.names.find(nextPc)?.register : undefined;
    if (next) await this.setRegister(next, value + 4n);
    await this.#select();
    const size = Math.ceil(register.bits / 8);
    const bytes = valueToBytes(value, size, this.#bigEndian);
    if (this.gdb.description.registers.length > 0) await this.gdb.writeRegister(register.number, bytes);
    else await this.#setAmongAll(register, bytes);
    this.forget();
    return this.register(register);
  }

  async value(name: string): Promise<bigint> {
    const found = this.names.find(name);
    if (!found) return 0n;
    return BigInt.asUintN(found.bits, (await this.register(found.register)) >> BigInt(found.shift));
  }

  /** The linear address of the next instruction. */
  async pc(): Promise<bigint> {
    const { pc } = this.names;
    if (!pc) return this.#tellPc();
    const general = await this.general();
    const offset = general.get(pc.number) ?? (await this.register(pc));
    if (!this.#segments) return offset;
    const { code } = this.#segments.find(this.#thread, general) ?? (await this.segments());
    return code.bits === 64 ? offset : BigInt.asUintN(32, code.base + offset);
  }

  async sp(): Promise<bigint> {
    return this.names.sp ? this.register(this.names.sp) : 0n;
  }

  get isX86(): boolean {
    return this.names.find('eflags') !== undefined;
  }

  /** Thumb code is marked by the lowest bit of its address there. */
  get isArm(): boolean {
    return this.isCortexM || (this.names.find('cpsr') !== undefined && this.names.find('x30') === undefined);
  }

  /** ARM for small devices: Thumb only, and interrupts that save registers on the stack. */
  get isCortexM(): boolean {
    return this.names.find('xpsr') !== undefined;
  }

  /**
   * Bases and widths of code and stack, which the stub does not tell. The monitor does, but only when the selectors
   * are others than last time is it asked: outside 64-bit mode, that is.
   */
  async segments(): Promise<X86Segments> {
    const general = await this.general();
    const known = this.#segments?.find(this.#thread, general);
    if (known) return known;
    const [cs, ss] = [await this.value('cs'), await this.value('ss')];
    const value = parseSegments(await this.qmp.hmp('info registers', { cpuIndex: this.cpuIndex }), cs, ss);
    this.#segments?.keep(this.#thread, general, value);
    return value;
  }

  /** How wide addresses are for the code that runs now. */
  async pointerBytes(): Promise<number> {
    const wide = (this.names.pc?.bits ?? 32) / 8;
    return this.isX86 ? Math.max(4, (await this.segments()).code.bits / 8) : wide;
  }

  /** What says how bytes are decoded into instructions at this moment. */
  async decoding(): Promise<string> {
    if (this.#segments) return `${(await this.segments()).code.bits}`;
    const mode = this.names.find('cpsr') ? (await this.value('cpsr')) & armState : 0n;
    return `${mode}${this.#bigEndian}`;
  }

  async memory(address: bigint, length: number): Promise<Uint8Array> {
    await this.#select();
    return this.gdb.readMemory(address, length);
  }

  /**
   * For places that are guessed at or that the guest's own data names: undefined where there is no memory, and where
   * a device would notice that it is read.
   */
  glance(address: bigint, length: number): Promise<Uint8Array | undefined> {
    return ifThere(this.memory(BigInt.asUintN(64, address), length));
  }

  /** The same while the stub takes physical addresses. */
  async glancePhysical(address: bigint, length: number): Promise<Uint8Array | undefined> {
    return (await this.isMemory(address, length)) ? ifThere(this.memory(address, length)) : undefined;
  }

  /** False where something else than memory answers at these physical addresses. */
  async isMemory(_address: bigint, _length: number): Promise<boolean> {
    return true;
  }

  /** What answers at these addresses, as far as QEMU tells; undefined where it does not. */
  async pieces(_space: string, address: bigint, length: number): Promise<readonly Piece[] | undefined> {
    return [{ address, length, holds: 'memory' }];
  }

  async glanceNumber(address: bigint, bytes: number): Promise<bigint | undefined> {
    const read = await this.glance(address, bytes);
    return read && bytesToValue(read, this.#bigEndian);
  }

  async setMemory(address: bigint, bytes: Uint8Array): Promise<void> {
    await this.#select();
    await this.gdb.writeMemory(address, bytes);
  }

  async number(address: bigint, bytes: number): Promise<bigint> {
    return bytesToValue(await this.memory(address, bytes), this.#bigEndian);
  }

  /** So many of them one after the other, in one question; see `glance`. */
  async glanceNumbers(address: bigint, bytes: number, count: number): Promise<bigint[] | undefined> {
    const all = await this.glance(address, bytes * count);
    if (!all) return undefined;
    return Array.from({ length: count }, (_, n) =>
      bytesToValue(all.subarray(n * bytes, (n + 1) * bytes), this.#bigEndian),
    );
  }

  /** How many bytes of registers come together; for the list of general ones. */
  get generalBytes(): number | undefined {
    return this.#generalBytes;
  }

  /** Stubs without a description know no single registers. */
  async #setAmongAll({ number }: TargetRegister, value: Uint8Array): Promise<void> {
    await this.general();
    const all = (await this.gdb.readAll()).slice();
    all.set(value, this.#places[2 * number] ?? 0);
    await this.gdb.writeAll(all);
  }

  async #tellPc(): Promise<bigint> {
    if (this.#toldPc === undefined) {
      const text = await this.qmp.hmp('info registers', { cpuIndex: this.cpuIndex });
      this.#toldPc = BigInt(`0x${pcForm.exec(text)?.[1] ?? '0'}`);
    }
    return this.#toldPc;
  }

  /** A POWER processor turns its registers round with its memory; the lowest bit of MSR says so, in both orders. */
  #orderOf(general: Uint8Array): boolean {
    if (!this.isPower) return this.architecture.bigEndian;
    const msr = this.names.find('msr')?.register.number ?? -1;
    return ((general[this.#places[2 * msr] ?? -1] ?? 0) & 1) === 0;
  }

  async #select(): Promise<void> {
    if (this.#selected === this.#thread) return;
    await this.gdb.selectThread(this.#thread);
    this.#selected = this.#thread;
  }
}

/** QEMU numbers threads from 1 in the order of its processors: `p01.02` is CPU 1. */
export function cpuIndexOf(thread: string): number {
  return Math.max(0, Number.parseInt(thread.split('.').at(-1) ?? '', 16) - 1) || 0;
}
