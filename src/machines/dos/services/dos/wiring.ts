import type { GuestMemory, Service } from '../guest.ts';
import type { FarPointer } from './far-pointer.ts';

export interface Key {
  /** 0 (or E0h with a scan code) for keys without a character. */
  readonly ascii: number;
  readonly scan: number;
}

/** The screen and keyboard as the console driver sees them. */
export interface Console {
  /** INT 10h teletype. */
  write(byte: number): void;
  /** The next key, left where it is. */
  peek(): Key | undefined;
  /** The next key, taken. */
  poll(): Key | undefined;
  /** What escape sequences need. */
  readonly screen: ConsoleScreen;
}

export interface ConsoleScreen {
  readonly rows: number;
  readonly columns: number;
  /** Of characters that `write` puts out. */
  readonly attribute: number;
  cursor(): { readonly row: number; readonly column: number };
  moveCursor(row: number, column: number): void;
  /** Blanks of this attribute, from the first cell up to but not including the second. */
  clear(fromRow: number, fromColumn: number, toRow: number, toColumn: number, attribute: number): void;
  setAttribute(attribute: number): void;
}

/** A serial or parallel port. */
export interface CharacterPort {
  ready(): boolean;
  read(): number | undefined;
  write(byte: number): void;
}

export interface Moment {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly hundredth: number;
}

/** The machine's own clock. Never the host's. */
export interface DosClock {
  now(): Moment;
  setDate(year: number, month: number, day: number): void;
  setTime(hour: number, minute: number, second: number, hundredth: number): void;
}

/** What the kernel needs of the machine it runs in. */
export interface DosWiring {
  readonly memory: GuestMemory;
  readonly console: Console;
  readonly clock: DosClock;
  /** COM1-COM4 and LPT1-LPT3. */
  port(name: string): CharacterPort | undefined;
  /** Where `FE 38 lo hi IRET` calls this service. Logs leave out one without a name. */
  stub(name: string, service: Service): FarPointer;
  /** The BIOS's own handler of an interrupt, where its vector points while nobody has hooked it. */
  handler(interrupt: number): FarPointer;
  /** The segment after the last paragraph of conventional memory. */
  readonly topSegment: number;
  readonly environment: readonly string[];
}
