import type { Guest, GuestMemory } from '../guest.ts';
import { linear } from './far-pointer.ts';

/** Memory without devices. */
export class TestMemory implements GuestMemory {
  readonly ram = new Uint8Array(0x11_0000);
  readonly #view = new DataView(this.ram.buffer);

  read8(address: number): number {
    return this.#view.getUint8(address);
  }
  read16(address: number): number {
    return this.#view.getUint16(address, true);
  }
  read32(address: number): number {
    return this.#view.getUint32(address, true);
  }
  write8(address: number, value: number): void {
    this.#view.setUint8(address, value);
  }
  write16(address: number, value: number): void {
    this.#view.setUint16(address, value, true);
  }
  write32(address: number, value: number): void {
    this.#view.setUint32(address, value, true);
  }
  bytes(address: number, length: number): Uint8Array {
    return this.ram.slice(address, address + length);
  }
  write(address: number, bytes: Uint8Array): void {
    this.ram.set(bytes, address);
  }
}

/** Registers over a plain buffer, for services without a processor. */
export class TestGuest implements Guest {
  readonly memory: TestMemory;
  readonly #words = new Uint32Array(8);
  readonly #bytes = new Uint8Array(this.#words.buffer);
  readonly #halves = new Uint16Array(this.#words.buffer);
  sp = 0;
  cs = 0;
  ip = 0;
  ds = 0;
  es = 0;
  ss = 0;
  fs = 0;
  gs = 0;
  flags = 0x202;
  instructions = 0;

  constructor(memory: TestMemory) {
    this.memory = memory;
  }

  get eax() {
    return this.#words[0] ?? 0;
  }
  set eax(value: number) {
    this.#words[0] = value;
  }
  get ax() {
    return this.#halves[0] ?? 0;
  }
  set ax(value: number) {
    this.#halves[0] = value;
  }
  get al() {
    return this.#bytes[0] ?? 0;
  }
  set al(value: number) {
    this.#bytes[0] = value;
  }
  get ah() {
    return this.#bytes[1] ?? 0;
  }
  set ah(value: number) {
    this.#bytes[1] = value;
  }
  get ebx() {
    return this.#words[1] ?? 0;
  }
  set ebx(value: number) {
    this.#words[1] = value;
  }
  get bx() {
    return this.#halves[2] ?? 0;
  }
  set bx(value: number) {
    this.#halves[2] = value;
  }
  get bl() {
    return this.#bytes[4] ?? 0;
  }
  set bl(value: number) {
    this.#bytes[4] = value;
  }
  get bh() {
    return this.#bytes[5] ?? 0;
  }
  set bh(value: number) {
    this.#bytes[5] = value;
  }
  get ecx() {
    return this.#words[2] ?? 0;
  }
  set ecx(value: number) {
    this.#words[2] = value;
  }
  get cx() {
    return this.#halves[4] ?? 0;
  }
  set cx(value: number) {
    this.#halves[4] = value;
  }
  get cl() {
    return this.#bytes[8] ?? 0;
  }
  set cl(value: number) {
    this.#bytes[8] = value;
  }
  get ch() {
    return this.#bytes[9] ?? 0;
  }
  set ch(value: number) {
    this.#bytes[9] = value;
  }
  get edx() {
    return this.#words[3] ?? 0;
  }
  set edx(value: number) {
    this.#words[3] = value;
  }
  get dx() {
    return this.#halves[6] ?? 0;
  }
  set dx(value: number) {
    this.#halves[6] = value;
  }
  get dl() {
    return this.#bytes[12] ?? 0;
  }
  set dl(value: number) {
    this.#bytes[12] = value;
  }
  get dh() {
    return this.#bytes[13] ?? 0;
  }
  set dh(value: number) {
    this.#bytes[13] = value;
  }
  get esi() {
    return this.#words[4] ?? 0;
  }
  set esi(value: number) {
    this.#words[4] = value;
  }
  get si() {
    return this.#halves[8] ?? 0;
  }
  set si(value: number) {
    this.#halves[8] = value;
  }
  get edi() {
    return this.#words[5] ?? 0;
  }
  set edi(value: number) {
    this.#words[5] = value;
  }
  get di() {
    return this.#halves[10] ?? 0;
  }
  set di(value: number) {
    this.#halves[10] = value;
  }
  get bp() {
    return this.#halves[12] ?? 0;
  }
  set bp(value: number) {
    this.#halves[12] = value;
  }

  get returnFlags(): number {
    return this.memory.read16(linear(this.ss, this.sp + 4));
  }
  set returnFlags(flags: number) {
    this.memory.write16(linear(this.ss, this.sp + 4), flags);
  }
  get carry(): boolean {
    return (this.returnFlags & 1) !== 0;
  }
  set carry(on: boolean) {
    this.returnFlags = (this.returnFlags & ~1) | (on ? 1 : 0);
  }
  get zero(): boolean {
    return (this.returnFlags & 0x40) !== 0;
  }
  set zero(on: boolean) {
    this.returnFlags = (this.returnFlags & ~0x40) | (on ? 0x40 : 0);
  }
}
