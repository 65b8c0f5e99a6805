import type { GdbClient } from '../../../links/gdb/gdb-client.ts';
import type { TargetRegister } from '../../../links/gdb/target-description.ts';
import type { QmpClient } from '../../../links/qmp/qmp-client.ts';
import { type Architecture, architectureOf } from './architecture.ts';
import { bytesToValue, valueToBytes } from './register-bytes.ts';
import { placesOf, RegisterFile, type RegisterPlaces } from './register-file.ts';
import { RegisterNames } from './register-names.ts';
import { parseSegments, SegmentCache, type X86Segments } from './x86-segments.ts';

/** What stands still behind the stub: its processors' registers and memory. Remembers what it read until it moves. */
export class Target {
  readonly gdb: GdbClient;
  readonly qmp: QmpClient;
  readonly architecture: Architecture;
  readonly names: RegisterNames;
  #known: RegisterFile | undefined;
  #places: RegisterPlaces = new Uint32Array();
  #generalBytes: number | undefined;
  #thread: string;
  #selected: string | undefined;
  readonly #segments: SegmentCache | undefined;

  constructor(gdb: GdbClient, qmp: QmpClient, arch: string, thread: string) {
    this.gdb = gdb;
    this.qmp = qmp;
    this.architecture = architectureOf(arch);
    this.names = new RegisterNames(gdb.description, this.architecture);
    this.#thread = thread;
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

  get cpuIndex(): number {
    return cpuIndexOf(this.#thread);
  }

  /** It has moved. */
  forget(): void {
    this.#known = undefined;
  }

  /** The registers that come together, by number. */
  async general(): Promise<RegisterFile> {
    if (this.#known) return this.#known;
    if (this.#selected !== this.#thread) await this.#select();
    const bytes = await this.gdb.readAll();
    if (this.#generalBytes !== bytes.length) this.#places = placesOf(this.gdb.description.registers, bytes.length);
    this.#generalBytes = bytes.length;
    const values = new RegisterFile(bytes, this.#places, this.architecture.bigEndian);
    this.#known = values;
    return values;
  }

  async register({ number }: TargetRegister): Promise<bigint> {
    const general = await this.general();
    const known = general.get(number);
    if (known !== undefined) return known;
    await this.#select();
    const value = bytesToValue(await this.gdb.readRegister(number), this.architecture.bigEndian);
    general.set(number, value);
    return value;
  }

  /** What is there afterwards: some registers take only a part, or nothing. */
  async setRegister(register: TargetRegister, value: bigint): Promise<bigint> {
    await this.#select();
    const size = Math.ceil(register.bits / 8);
    await this.gdb.writeRegister(register.number, valueToBytes(value, size, this.architecture.bigEndian));
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
    if (!pc) return 0n;
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

  /**
   * Bases and widths of code and stack, which the stub does not tell. The monitor does, but only when the selectors
   * are others than last time is it asked: outside of 64-bit mode, that is.
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

  async memory(address: bigint, length: number): Promise<Uint8Array> {
    await this.#select();
    return this.gdb.readMemory(address, length);
  }

  async setMemory(address: bigint, bytes: Uint8Array): Promise<void> {
    await this.#select();
    await this.gdb.writeMemory(address, bytes);
  }

  async number(address: bigint, bytes: number): Promise<bigint> {
    return bytesToValue(await this.memory(address, bytes), this.architecture.bigEndian);
  }

  /** How many bytes of registers come together; for the list of general ones. */
  get generalBytes(): number | undefined {
    return this.#generalBytes;
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
