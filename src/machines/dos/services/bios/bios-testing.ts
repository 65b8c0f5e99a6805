import { stateWords as kbcWords } from '../../../../chips/i8042/fields.ts';
import { I8042 } from '../../../../chips/i8042/i8042.ts';
import { stateWords as pitWords } from '../../../../chips/i8254/fields.ts';
import { I8254 } from '../../../../chips/i8254/i8254.ts';
import { I8259Pair, stateWords as picWords } from '../../../../chips/i8259/i8259-pair.ts';
import { stateWords as rtcWords } from '../../../../chips/mc146818/fields.ts';
import { Mc146818 } from '../../../../chips/mc146818/mc146818.ts';
import { stateWords as uartWords } from '../../../../chips/ns16550/fields.ts';
import { Ns16550 } from '../../../../chips/ns16550/ns16550.ts';
import { memoryBytes, stateWords as vgaWords } from '../../../../chips/vga/fields.ts';
import { Vga } from '../../../../chips/vga/vga.ts';
import type { Guest, GuestMemory, ServiceOutcome } from '../guest.ts';
import { Bios } from './bios.ts';
import { callbacks } from './callbacks.ts';
import type { DiskImage } from './disk/disk-image.ts';
import { buildBiosRom } from './rom.ts';

const IPS = 4_000_000;

/** The chips and services of a PC without a processor: interrupts are called by hand. */
export class BiosBench {
  readonly ram = new Uint8Array(0x110000);
  readonly clock = { now: 0 };
  readonly disks = new Map<number, DiskImage>();
  readonly pic: I8259Pair;
  readonly pit: I8254;
  readonly kbc: I8042;
  readonly rtc: Mc146818;
  readonly vga: Vga;
  readonly uart: Ns16550;
  readonly sent: number[] = [];
  readonly printed: number[] = [];
  #printerData = 0;
  readonly memory: GuestMemory;
  readonly guest: TestGuest;
  readonly bios: Bios;
  readonly ports = {
    read8: (port: number) => this.#in(port),
    write8: (port: number, value: number) => this.#out(port, value),
  };

  constructor() {
    const time = { now: () => this.clock.now, instructionsPerSecond: IPS };
    this.pic = new I8259Pair(new Int32Array(picWords), { int() {} });
    this.pit = new I8254(new Int32Array(pitWords), { ...time, out0: (level) => this.pic.setIrq(0, level) });
    this.kbc = new I8042(new Int32Array(kbcWords), {
      ...time,
      keyboardIrq: (level) => this.pic.setIrq(1, level),
      mouseIrq: (level) => this.pic.setIrq(12, level),
      a20() {},
      reset() {},
    });
    this.rtc = new Mc146818(new Int32Array(rtcWords), { ...time, irq: (level) => this.pic.setIrq(8, level) });
    this.vga = new Vga(new Int32Array(vgaWords), new Uint8Array(memoryBytes), time);
    this.uart = new Ns16550(new Int32Array(uartWords), {
      ...time,
      irq: (level) => this.pic.setIrq(4, level),
      transmit: (byte) => this.sent.push(byte),
    });
    this.memory = flatMemory(this.ram, this.vga);
    this.guest = new TestGuest(this.memory, this.clock);
    for (const chip of [this.pic, this.pit, this.kbc, this.vga, this.uart]) chip.powerOn();
    this.rtc.powerOn({ year: 1992, month: 3, day: 4, hour: 12, minute: 30, second: 15 });
    this.ram.set(buildBiosRom(), 0xf0000);
    this.bios = new Bios({
      memory: this.memory,
      ports: this.ports,
      disk: (drive) => this.disks.get(drive),
      size: {
        conventionalKilobytes: 640,
        extendedKilobytes: 1024,
        floppyDrives: 1,
        hardDisks: 1,
        serialPorts: [0x3f8, 0x2f8],
        parallelPorts: [0x378],
        coprocessor: false,
        gameport: true,
      },
      extendedKilobytes: () => 1024,
      joystickAxes: () => [1, 2, 3, 4],
      bootOtherwise: () => 'wait',
    });
    this.call(callbacks.powerOn);
  }

  /** Runs a service with these registers set. */
  call(number: number, registers: Partial<Guest> = {}): ServiceOutcome {
    Object.assign(this.guest, registers);
    const row = this.bios.rows.get(number);
    if (row === undefined) throw new Error(`no service ${number}`);
    for (;;) {
      const outcome = row.serve(this.guest);
      if (outcome !== 'again') return outcome;
    }
  }

  describe(number: number, registers: Partial<Guest>): string {
    Object.assign(this.guest, registers);
    return this.bios.rows.get(number)?.describe(this.guest) ?? '';
  }

  /** Passes the keyboard's bytes to INT 09h for a tenth of a second. */
  takeKeys(): ServiceOutcome[] {
    const outcomes: ServiceOutcome[] = [];
    const end = this.clock.now + IPS / 10;
    for (let next = this.kbc.nextEvent(); next <= end; next = this.kbc.nextEvent()) {
      this.clock.now = next;
      this.kbc.catchUp(next);
      if ((this.kbc.peek(0x64) & 0x21) === 1) outcomes.push(this.call(0x09, { al: this.kbc.read(0x60) }));
    }
    this.clock.now = end;
    return outcomes;
  }

  text(): string[] {
    const screen = this.vga.text();
    if (screen === undefined) return [];
    return Array.from({ length: screen.rows }, (_, row) =>
      String.fromCharCode(...screen.codes.subarray(row * screen.columns, (row + 1) * screen.columns)).trimEnd(),
    );
  }

  #in(port: number): number {
    if (port === 0x92) return this.kbc.readPort92();
    if (port >= 0x3b0 && port < 0x3e0) return this.vga.read(port);
    if ((port & 0xfff8) === 0x3f8) return this.uart.read(port);
    if (port === 0x379) return 0xdf;
    if (port === 0x60 || port === 0x64) return this.kbc.read(port);
    if (port === 0x70 || port === 0x71) return this.rtc.read(port);
    if ((port & 0xfffc) === 0x40) return this.pit.read(port);
    if ((port & 0xff7e) === 0x20) return this.pic.read(port);
    return 0xff;
  }

  #out(port: number, value: number): void {
    if (port === 0x92) this.kbc.writePort92(value);
    else if (port >= 0x3b0 && port < 0x3e0) this.vga.write(port, value);
    else if ((port & 0xfff8) === 0x3f8) this.uart.write(port, value);
    else if (port === 0x378) this.#printerData = value;
    else if (port === 0x37a && (value & 1) !== 0) this.printed.push(this.#printerData);
    else if (port === 0x60 || port === 0x64) this.kbc.write(port, value);
    else if (port === 0x70 || port === 0x71) this.rtc.write(port, value);
    else if ((port & 0xfffc) === 0x40) this.pit.write(port, value);
    else if ((port & 0xff7e) === 0x20) this.pic.write(port, value);
  }
}

function flatMemory(ram: Uint8Array, vga: Vga): GuestMemory {
  const isVideo = (address: number) => address >= 0xa0000 && address < 0xc0000;
  const memory: GuestMemory = {
    read8: (address) => (isVideo(address) ? vga.readMemory(address) : (ram[address] ?? 0xff)),
    read16: (address) => memory.read8(address) | (memory.read8(address + 1) << 8),
    read32: (address) => (memory.read16(address) | (memory.read16(address + 2) << 16)) >>> 0,
    write8(address, value) {
      if (isVideo(address)) vga.writeMemory(address, value & 0xff);
      else ram[address] = value;
    },
    write16(address, value) {
      memory.write8(address, value & 0xff);
      memory.write8(address + 1, (value >> 8) & 0xff);
    },
    write32(address, value) {
      memory.write16(address, value & 0xffff);
      memory.write16(address + 2, value >>> 16);
    },
    bytes: (address, length) => Uint8Array.from({ length }, (_, index) => memory.read8(address + index)),
    write(address, bytes) {
      bytes.forEach((byte, index) => {
        memory.write8(address + index, byte);
      });
    },
  };
  return memory;
}

const CARRY = 1;
const ZERO = 0x40;

/** Registers without a processor around them. */
export class TestGuest implements Guest {
  readonly memory: GuestMemory;
  readonly #clock: { readonly now: number };
  readonly #words = new Uint32Array(8);
  bp = 0;
  sp = 0xfffe;
  cs = 0;
  ip = 0;
  ds = 0;
  es = 0;
  ss = 0;
  fs = 0;
  gs = 0;
  returnFlags = 0x202;

  constructor(memory: GuestMemory, clock: { readonly now: number }) {
    this.memory = memory;
    this.#clock = clock;
  }

  get instructions(): number {
    return this.#clock.now;
  }

  get carry(): boolean {
    return (this.returnFlags & CARRY) !== 0;
  }
  set carry(on: boolean) {
    this.returnFlags = on ? this.returnFlags | CARRY : this.returnFlags & ~CARRY;
  }
  get zero(): boolean {
    return (this.returnFlags & ZERO) !== 0;
  }
  set zero(on: boolean) {
    this.returnFlags = on ? this.returnFlags | ZERO : this.returnFlags & ~ZERO;
  }

  #get(index: number): number {
    return this.#words[index] ?? 0;
  }
  #low(index: number, value: number): void {
    this.#words[index] = (this.#get(index) & ~0xff) | (value & 0xff);
  }
  #high(index: number, value: number): void {
    this.#words[index] = (this.#get(index) & ~0xff00) | ((value & 0xff) << 8);
  }
  #word(index: number, value: number): void {
    this.#words[index] = (this.#get(index) & ~0xffff) | (value & 0xffff);
  }

  get eax() {
    return this.#get(0);
  }
  set eax(value) {
    this.#words[0] = value;
  }
  get ax() {
    return this.#get(0) & 0xffff;
  }
  set ax(value) {
    this.#word(0, value);
  }
  get al() {
    return this.#get(0) & 0xff;
  }
  set al(value) {
    this.#low(0, value);
  }
  get ah() {
    return (this.#get(0) >> 8) & 0xff;
  }
  set ah(value) {
    this.#high(0, value);
  }
  get ebx() {
    return this.#get(1);
  }
  set ebx(value) {
    this.#words[1] = value;
  }
  get bx() {
    return this.#get(1) & 0xffff;
  }
  set bx(value) {
    this.#word(1, value);
  }
  get bl() {
    return this.#get(1) & 0xff;
  }
  set bl(value) {
    this.#low(1, value);
  }
  get bh() {
    return (this.#get(1) >> 8) & 0xff;
  }
  set bh(value) {
    this.#high(1, value);
  }
  get ecx() {
    return this.#get(2);
  }
  set ecx(value) {
    this.#words[2] = value;
  }
  get cx() {
    return this.#get(2) & 0xffff;
  }
  set cx(value) {
    this.#word(2, value);
  }
  get cl() {
    return this.#get(2) & 0xff;
  }
  set cl(value) {
    this.#low(2, value);
  }
  get ch() {
    return (this.#get(2) >> 8) & 0xff;
  }
  set ch(value) {
    this.#high(2, value);
  }
  get edx() {
    return this.#get(3);
  }
  set edx(value) {
    this.#words[3] = value;
  }
  get dx() {
    return this.#get(3) & 0xffff;
  }
  set dx(value) {
    this.#word(3, value);
  }
  get dl() {
    return this.#get(3) & 0xff;
  }
  set dl(value) {
    this.#low(3, value);
  }
  get dh() {
    return (this.#get(3) >> 8) & 0xff;
  }
  set dh(value) {
    this.#high(3, value);
  }
  get esi() {
    return this.#get(4);
  }
  set esi(value) {
    this.#words[4] = value;
  }
  get si() {
    return this.#get(4) & 0xffff;
  }
  set si(value) {
    this.#word(4, value);
  }
  get edi() {
    return this.#get(5);
  }
  set edi(value) {
    this.#words[5] = value;
  }
  get di() {
    return this.#get(5) & 0xffff;
  }
  set di(value) {
    this.#word(5, value);
  }
}
