import { Buffer } from 'node:buffer';

/** What the keys after Ctrl-E c ask for; the same as of conserver's console. */
export type KeyCommand = 'leave' | 'claim' | 'force' | 'release' | 'who' | 'break' | 'help' | 'unknown';

const commands: Readonly<Record<string, KeyCommand>> = {
  '.': 'leave',
  a: 'claim',
  f: 'force',
  s: 'release',
  w: 'who',
  '?': 'help',
};

export const keyHelp = [
  '^Ec.  leave (so does Ctrl-])',
  '^Eca  ask for the line: only you can type',
  '^Ecf  take it from whoever has it',
  '^Ecs  give it back',
  '^Ecw  who is on',
  '^Ecl0 send a BREAK',
  '^Ec^E send a Ctrl-E',
  '^Ec?  this help',
].join('\r\n');

/** Ctrl-E as terminals send it: plainly, in the kitty keyboard protocol, and with xterm's modifyOtherKeys. */
const prefixes = ['\x05', '\x1b[101;5u', '\x1b[27;5;101~'].map((keys) => Buffer.from(keys));
const controlE = Buffer.from('\x05');
/** So long a Ctrl-E waits for the c that would make it a command; alone it goes to the console. */
const patienceMs = 500;

export interface CommandKeysEvents {
  send(bytes: Buffer): void;
  command(command: KeyCommand): void;
}

/** Finds commands in what is typed, and passes on the rest in order. */
export class CommandKeys {
  readonly #events: CommandKeysEvents;
  /** What was typed of a command so far. */
  #state: 'text' | 'prefix' | 'command' | 'break' = 'text';
  #timer: NodeJS.Timeout | undefined;

  constructor(events: CommandKeysEvents) {
    this.#events = events;
  }

  push(bytes: Buffer): void {
    let rest = bytes;
    while (rest.length > 0) rest = this.#state === 'text' ? this.#text(rest) : this.#key(rest);
  }

  /** Nothing more is typed: what waits for the rest of a command goes as it is. */
  end(): void {
    clearTimeout(this.#timer);
    if (this.#state === 'prefix') this.#events.send(controlE);
    this.#state = 'text';
  }

  #text(bytes: Buffer): Buffer {
    const found = prefixes.map((prefix) => ({ at: bytes.indexOf(prefix), length: prefix.length }));
    const [first] = found.filter(({ at }) => at >= 0).sort((a, b) => a.at - b.at);
    if (!first) {
      this.#events.send(bytes);
      return Buffer.alloc(0);
    }
    if (first.at > 0) this.#events.send(bytes.subarray(0, first.at));
    this.#state = 'prefix';
    this.#timer = setTimeout(() => this.end(), patienceMs);
    return bytes.subarray(first.at + first.length);
  }

  #key(bytes: Buffer): Buffer {
    clearTimeout(this.#timer);
    const key = String.fromCharCode(bytes[0] ?? 0);
    const rest = bytes.subarray(1);
    if (this.#state === 'prefix') {
      if (key === 'c') {
        this.#state = 'command';
        return rest;
      }
      this.end();
      return bytes;
    }
    if (this.#state === 'command' && key === 'l') {
      this.#state = 'break';
      return rest;
    }
    const isBreak = this.#state === 'break';
    this.#state = 'text';
    if (key === '\x05' && !isBreak) this.#events.send(controlE);
    else this.#events.command(isBreak ? (/\d/.test(key) ? 'break' : 'unknown') : (commands[key] ?? 'unknown'));
    return rest;
  }
}
