/** Why accesses to a page of 256 bytes take the slow path. */
const reason = { device: 1, rom: 2, code: 4, watch: 8, wrap: 16, neighbour: 32, table: 64, record: 128 } as const;

/** The flag of a page of which nothing is special but that there is code. */
export const codePage = reason.code;

/** Of four pages. */
const recordFlags = Math.imul(reason.record, 0x01010101);

const pageShift = 8;
const mostCounted = 255;
/** Real mode reaches 1 MiB and, with A20 on, 64 KiB above it; a few bytes more let wide accesses end there. */
export const smallestMemory = 0x110000 + 8;

/** Memory that a device answers. Addresses are physical, `last` included. */
export interface DeviceWindow {
  readonly first: number;
  readonly last: number;
  read(address: number): number;
  write(address: number, value: number): void;
  /** As `write` for each of them, from an address on; left out where that would be no quicker. */
  writeMany?(address: number, bytes: Uint8Array): void;
  /** As `read`, without disturbing the device. */
  peek(address: number): number;
}

/** An access to a watched byte. */
export interface WatchHit {
  readonly kind: 'read' | 'write';
  readonly address: number;
  readonly before: number;
  readonly value: number;
}

export interface Watch {
  readonly first: number;
  readonly last: number;
  readonly kind: 'read' | 'write';
}

/**
 * Memory as the processor sees it: plain bytes, except in pages with a flag. Generated code looks at `readFlags` and
 * `writeFlags` of the page in which an access begins and calls in here when they are not zero; so a page whose
 * successor is special has a flag too, for the accesses that cross over.
 */
export class X86Memory {
  readonly ram: Uint8Array;
  /** The same, for words. */
  readonly view: DataView;
  readonly readFlags: Uint8Array;
  readonly writeFlags: Uint8Array;
  /** How many instructions have a byte whose change must be noticed. */
  readonly codeBytes: Uint8Array;
  readonly #codeView: DataView;
  /** Called when a write changed such a byte. */
  onCodeChange: (address: number) => void = () => undefined;
  /** Called when a write changed a table that `watchTable` named. */
  onTableChange: (address: number) => void = () => undefined;
  onA20Change: () => void = () => undefined;
  onWatch: (hit: WatchHit) => void = () => undefined;
  /** Called when what `setDebugged` named is read or written. */
  onDebug: (address: number, kind: 'read' | 'write') => void = () => undefined;
  /** The same as `writeFlags`, four pages at a time. */
  readonly #writeWords: Int32Array;
  readonly #read: Uint8Array;
  readonly #write: Uint8Array;
  readonly #windows: DeviceWindow[] = [];
  /** Windows above all RAM. */
  readonly #beyond: DeviceWindow[] = [];
  /** By page: the number of its window, the first being 1. */
  readonly #windowOf: Uint8Array;
  /** How many bytes with instructions pages have, each byte as often as it is counted. */
  readonly #codeInPage: Uint32Array;
  #watches: readonly Watch[] = [];
  #debugged: readonly Watch[] = [];
  #isReadWatched = false;
  #wraps = false;
  /** What bytes held when the record began, by physical address. */
  #record: Map<number, number> | null = null;

  constructor(ram: Uint8Array) {
    if (ram.length < smallestMemory) throw new RangeError(`memory needs ${smallestMemory} bytes at least`);
    this.ram = ram;
    this.view = new DataView(ram.buffer, ram.byteOffset, ram.length);
    const pages = (ram.length >> pageShift) + 2;
    this.readFlags = new Uint8Array(pages);
    const words = Math.ceil(pages / 4);
    this.#writeWords = new Int32Array(words);
    this.writeFlags = new Uint8Array(this.#writeWords.buffer, 0, pages);
    this.#read = new Uint8Array(pages + 1);
    this.#write = new Uint8Array(pages + 1);
    this.#windowOf = new Uint8Array(pages);
    this.codeBytes = new Uint8Array(ram.length);
    this.#codeView = new DataView(this.codeBytes.buffer);
    this.#codeInPage = new Uint32Array(pages);
    // Accesses that end beyond all RAM begin no later than in the page before.
    this.#mark(ram.length, (pages << pageShift) - 1, reason.neighbour, reason.neighbour);
  }

  /** Also beyond all RAM, where nothing needs a flag to take the slow path. */
  addDevice(window: DeviceWindow): void {
    if (window.first >= this.ram.length) {
      this.#beyond.push(window);
      return;
    }
    this.#windowOf.fill(this.#windows.push(window), window.first >> pageShift, (window.last >> pageShift) + 1);
    this.#mark(window.first, window.last, reason.device, reason.device);
  }

  /** From now on writes to these addresses change nothing, or do so again: whole pages of 256 bytes. */
  protect(first: number, last: number, on = true): void {
    if (on) this.#mark(first, last, 0, reason.rom);
    else this.#clear(first, last, 0, reason.rom);
  }

  /** Address line 20: when off (and always on an 8086), the 64 KiB above 1 MiB are those at 0. */
  set a20(on: boolean) {
    if (on === this.a20) return;
    this.#wraps = !on;
    this.onA20Change();
    const end = Math.min(0x2000, this.readFlags.length);
    for (let page = 0x1000; page < end; page += 1) {
      this.#set(this.#read, this.readFlags, page, reason.wrap, !on);
      this.#set(this.#write, this.writeFlags, page, reason.wrap, !on);
    }
  }

  get a20(): boolean {
    return !this.#wraps;
  }

  /** The physical address of a linear one. */
  physical(address: number): number {
    return this.#wraps ? (address & ~0x100000) >>> 0 : address;
  }

  /** Whether changes of a page of 4 KiB are told to `onTableChange`. */
  watchTable(page: number, on: boolean): void {
    const first = page << 4;
    if (first + 16 > this.readFlags.length) return;
    for (let part = first; part < first + 16; part += 1) {
      this.#set(this.#write, this.writeFlags, part, reason.table, on);
    }
  }

  /** Memory as page tables use it. */
  readPhysical32(at: number): number {
    const address = this.physical(at);
    const { ram } = this;
    if (address + 3 >= ram.length) return -1;
    return ram[address] | (ram[address + 1] << 8) | (ram[address + 2] << 16) | (ram[address + 3] << 24);
  }

  writePhysical32(at: number, value: number): void {
    const address = this.physical(at);
    for (let n = 0; n < 4; n += 1) this.ram[address + n] = value >> (8 * n);
  }

  /** Replaces the watched ranges. */
  setWatches(watches: readonly Watch[]): void {
    this.#arm([...watches], this.#debugged);
    this.#isReadWatched = watches.some(({ kind }) => kind === 'read');
  }

  /** Replaces the ranges that the processor's own breakpoints are about. */
  setDebugged(ranges: readonly Watch[]): void {
    if (ranges.length + this.#debugged.length > 0) this.#arm(this.#watches, ranges);
  }

  #arm(watches: readonly Watch[], debugged: readonly Watch[]): void {
    for (const { first, last, kind } of [...this.#watches, ...this.#debugged])
      this.#clear(first, last, kind === 'read' ? reason.watch : 0, reason.watch);
    this.#watches = watches;
    this.#debugged = debugged;
    for (const { first, last, kind } of [...watches, ...debugged]) {
      this.#mark(first, last, kind === 'read' ? reason.watch : 0, kind === 'write' ? reason.watch : 0);
    }
  }

  get isWatched(): boolean {
    return this.#watches.length > 0;
  }

  get isReadWatched(): boolean {
    return this.#isReadWatched;
  }

  /** From now on it is known what bytes of RAM held before they were written. */
  beginRecord(): void {
    this.#record = new Map();
    const flags = this.#writeWords;
    for (let index = 0; index < flags.length; index += 1) flags[index] = flags[index] | recordFlags;
  }

  /** True when all that was written since is what it was. */
  endRecord(): boolean {
    const { ram } = this;
    const flags = this.#writeWords;
    const record = this.#record;
    this.#record = null;
    // Where the reasons of a page have changed, writes may have gone by.
    let isWhole = record !== null;
    for (let index = 0; index < flags.length; index += 1) {
      const four = flags[index];
      if ((four & recordFlags) !== recordFlags) isWhole = false;
      flags[index] = four & ~recordFlags;
    }
    if (record === null || !isWhole) return false;
    for (const [address, before] of record) if (ram[address] !== before) return false;
    return true;
  }

  /** Counts the instructions that have a byte: while there are any, its change is reported. */
  countCode(address: number, step: 1 | -1): void {
    const before = this.codeBytes[address];
    // It has been in too many to be counted: from now on it is code until all is forgotten.
    if (before === mostCounted) return;
    this.codeBytes[address] = before + step;
    const page = address >>> pageShift;
    const count = this.#codeInPage[page] + step;
    this.#codeInPage[page] = count;
    if (count === 0 || (count === 1 && step > 0)) this.#set(this.#write, this.writeFlags, page, reason.code, count > 0);
  }

  /** Forgets which bytes are code. */
  clearCode(): void {
    this.#codeInPage.forEach((count, page) => {
      if (count === 0) return;
      this.codeBytes.fill(0, page << pageShift, (page + 1) << pageShift);
      this.#set(this.#write, this.writeFlags, page, reason.code, false);
    });
    this.#codeInPage.fill(0);
  }

  read8(linear: number): number {
    const address = this.physical(linear);
    const flags = this.#read[address >>> pageShift];
    const value =
      flags & reason.device
        ? this.#device(address).read(address)
        : (this.ram[address] ?? this.#far(address)?.read(address) ?? 0xff);
    if (flags & reason.watch) this.#report('read', address, value, value);
    return value;
  }

  write8(linear: number, byte: number): void {
    const address = this.physical(linear);
    const flags = this.#write[address >>> pageShift];
    const value = byte & 0xff;
    const before = this.ram[address];
    if (flags & reason.device) this.#device(address).write(address, value);
    else if (address >= this.ram.length) this.#far(address)?.write(address, value);
    else if (!(flags & reason.rom)) {
      if (this.#record !== null && !this.#record.has(address)) this.#record.set(address, before);
      this.ram[address] = value;
      if (flags & reason.table && before !== value) this.onTableChange(address);
      if (flags & reason.code && before !== value && this.codeBytes[address] !== 0) this.onCodeChange(address);
    }
    if (flags & reason.watch) this.#report('write', address, before, value);
  }

  read16(linear: number): number {
    if (this.readFlags[linear >>> pageShift] === 0 && linear + 1 < this.ram.length)
      return this.view.getUint16(linear, true);
    return this.read8(linear) | (this.read8(linear + 1) << 8);
  }

  read32(linear: number): number {
    return this.read16(linear) | (this.read16(linear + 2) << 16);
  }

  write16(linear: number, value: number): void {
    if (this.takes16(linear, value)) {
      this.view.setUint16(linear, value, true);
      return;
    }
    this.write8(linear, value);
    this.write8(linear + 1, value >> 8);
  }

  /** As `isFree` for a byte, and where it is what lies there already: programs that make code do so again and again. */
  takes8(linear: number, value: number): boolean {
    if (this.writeFlags[linear >>> pageShift] !== reason.code) return this.isFree(linear, 1);
    return this.codeBytes[linear] === 0 || this.ram[linear] === (value & 0xff);
  }

  /** The same for a word. After a page that has nothing but code there is a plain one. */
  takes16(linear: number, value: number): boolean {
    if (this.writeFlags[linear >>> pageShift] !== reason.code) return this.isFree(linear, 2);
    return this.#codeView.getUint16(linear) === 0 || this.view.getUint16(linear, true) === (value & 0xffff);
  }

  /** True where so many bytes may be written without another thought: no code, though there may be some beside them. */
  isFree(linear: number, bytes: number): boolean {
    const flags = this.writeFlags[linear >>> pageShift];
    if (linear + bytes > this.ram.length) return false;
    if (flags === 0) return true;
    if ((flags & ~(reason.code | reason.neighbour)) !== 0 || (linear & 0xff) + bytes > 0x100) return false;
    for (let n = linear; n < linear + bytes; n += 1) if (this.codeBytes[n] !== 0) return false;
    return true;
  }

  write32(linear: number, value: number): void {
    this.write16(linear, value);
    this.write16(linear + 2, value >> 16);
  }

  /** What a read would give, without side effects. */
  peek8(linear: number): number {
    const address = this.physical(linear);
    const flags = this.#read[address >>> pageShift];
    if (flags & reason.device) return this.#device(address).peek(address);
    return this.ram[address] ?? this.#far(address)?.peek(address) ?? 0xff;
  }

  peek16(linear: number): number {
    if (this.readFlags[linear >>> pageShift] === 0 && linear + 1 < this.ram.length)
      return this.view.getUint16(linear, true);
    return this.peek8(linear) | (this.peek8(linear + 1) << 8);
  }

  /** Many bytes, as `read8` reads them one after the other. */
  readBytes(linear: number, length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    this.#eachPage(linear, length, this.#read, (address, at, count) => {
      if (address >= 0) bytes.set(this.ram.subarray(address, address + count), at);
      else for (let n = at; n < at + count; n++) bytes[n] = this.read8(linear + n);
    });
    return bytes;
  }

  /** The same for writing. */
  writeBytes(linear: number, bytes: Uint8Array): void {
    this.#eachPage(linear, bytes.length, this.#write, (address, at, count) => {
      const part = bytes.subarray(at, at + count);
      if (address >= 0 && this.#record === null) this.ram.set(part, address);
      else if (!this.writeToDevice(this.physical(linear + at), part)) {
        for (let n = at; n < at + count; n++) this.write8(linear + n, bytes[n]);
      }
    });
  }

  /** Gives a device many bytes at once; false where it does not take them so, or somebody else listens. */
  writeToDevice(address: number, bytes: Uint8Array): boolean {
    const last = address + bytes.length - 1;
    const window = this.#windows[this.#windowOf[address >>> pageShift] - 1];
    if (window?.writeMany === undefined || last > window.last) return false;
    for (let page = address >>> pageShift; page <= last >>> pageShift; page += 1) {
      if (this.#write[page] !== reason.device) return false;
    }
    window.writeMany(address, bytes);
    return true;
  }

  /** A copy of many bytes, as `peek8` gives them. */
  peekBytes(linear: number, length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    this.#eachPage(linear, length, this.#read, (address, at, count) => {
      if (address >= 0) bytes.set(this.ram.subarray(address, address + count), at);
      else for (let n = at; n < at + count; n++) bytes[n] = this.peek8(linear + n);
    });
    return bytes;
  }

  /** A range page by page: with the physical address where nothing is special about it, else with -1. */
  #eachPage(
    linear: number,
    length: number,
    reasons: Uint8Array,
    act: (address: number, at: number, count: number) => void,
  ): void {
    const pageBytes = 1 << pageShift;
    for (let at = 0; at < length; ) {
      const address = this.physical(linear + at);
      const count = Math.min(length - at, pageBytes - (address & (pageBytes - 1)));
      const isPlain = reasons[address >>> pageShift] === 0 && address + count <= this.ram.length;
      act(isPlain ? address : -1, at, count);
      at += count;
    }
  }

  #far(address: number): DeviceWindow | undefined {
    return this.#beyond.find(({ first, last }) => first <= address && address <= last);
  }

  #device(address: number): DeviceWindow {
    return this.#windows[this.#windowOf[address >>> pageShift] - 1] as DeviceWindow;
  }

  /** What is read and written meanwhile meets no watch. */
  unwatched(action: () => void): void {
    const { onWatch } = this;
    this.onWatch = () => undefined;
    try {
      action();
    } finally {
      this.onWatch = onWatch;
    }
  }

  #report(kind: 'read' | 'write', address: number, before: number, value: number): void {
    const isIn = (watch: Watch) => watch.kind === kind && watch.first <= address && address <= watch.last;
    if (this.#watches.some(isIn)) this.onWatch({ kind, address, before, value });
    if (this.#debugged.some(isIn)) this.onDebug(address, kind);
  }

  #mark(first: number, last: number, read: number, write: number): void {
    for (let page = first >> pageShift; page <= last >> pageShift; page += 1) {
      if (read) this.#set(this.#read, this.readFlags, page, read, true);
      if (write) this.#set(this.#write, this.writeFlags, page, write, true);
    }
  }

  #clear(first: number, last: number, read: number, write: number): void {
    for (let page = first >> pageShift; page <= last >> pageShift; page += 1) {
      if (read) this.#set(this.#read, this.readFlags, page, read, false);
      if (write) this.#set(this.#write, this.writeFlags, page, write, false);
    }
  }

  #set(reasons: Uint8Array, flags: Uint8Array, page: number, bit: number, on: boolean): void {
    const value = reasons[page];
    reasons[page] = on ? value | bit : value & ~bit;
    for (const changed of [page, page - 1]) {
      if (changed < 0) continue;
      flags[changed] = reasons[changed] | (reasons[changed + 1] === 0 ? 0 : reason.neighbour);
    }
  }
}
