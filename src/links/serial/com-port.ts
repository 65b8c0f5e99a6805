import type { InputLines, LineSettings, SerialControl } from '../byte-link.ts';
import type { TelnetOption } from './telnet-codec.ts';

/** Commands of RFC 2217 as a client sends them; a server's own are a hundred more. */
const commands = {
  signature: 0,
  baudRate: 1,
  dataBits: 2,
  parity: 3,
  stopBits: 4,
  control: 5,
  lineState: 6,
  modemState: 7,
  suspend: 8,
  resume: 9,
  lineStateMask: 10,
  modemStateMask: 11,
  purge: 12,
} as const;
const fromServer = 100;

const parities = ['none', 'odd', 'even', 'mark', 'space'] as const;
const stopSizes = [1, 2, 1.5] as const;
const flowControls = ['none', 'xonxoff', 'rtscts'] as const;
const purges = { input: 1, output: 2, both: 3 } as const;
const controls = { breakOn: 5, breakOff: 6, dtrOn: 8, dtrOff: 9, rtsOn: 11, rtsOff: 12 } as const;

/** Bits of a line state that tell of something wrong, or of a BREAK. */
const lineTroubles: readonly (readonly [bit: number, what: string])[] = [
  [0x10, 'a BREAK was received'],
  [0x08, 'framing error'],
  [0x04, 'parity error'],
  [0x02, 'bytes were lost in the port (overrun)'],
];
const modemBits = { dcd: 0x80, ri: 0x40, dsr: 0x20, cts: 0x10 } as const;

const answerMs = 5000;
/** Who asks more often than this who we are wants something else. */
const mostSignatures = 16;

export interface ComPortEvents {
  send(payload: Uint8Array): void;
  notice(text: string): void;
  /** The port asks us to stop sending, or to go on. */
  suspend(isSuspended: boolean): void;
}

interface Asked {
  readonly command: number;
  answer(value: Uint8Array): void;
  fail(error: Error): void;
}

/** The client's half of RFC 2217: asks the port, one thing at a time, and hears what it reports. */
export class ComPort implements TelnetOption {
  readonly code = 44;
  readonly #events: ComPortEvents;
  #agreed: ((error?: Error) => void) | undefined;
  #asked: Asked | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #closed: string | undefined;
  #modemState: number | undefined;
  #signatures = 0;
  #settings: LineSettings = { baudRate: 0, dataBits: 8, stopBits: 1, parity: 'none', flowControl: 'none' };

  constructor(events: ComPortEvents) {
    this.#events = events;
  }

  settled(agreed: boolean): void {
    if (agreed) this.#agreed?.();
    else this.#agreed?.(new Error('the other side speaks telnet but not RFC 2217; leave rfc2217 out'));
  }

  received(payload: Uint8Array): void {
    const [command = 0, ...rest] = payload;
    const value = Uint8Array.from(rest);
    if (command - fromServer === this.#asked?.command) this.#asked.answer(value);
    else if (command === commands.signature || command === commands.signature + fromServer) {
      if (value.length === 0 && this.#signatures++ < mostSignatures)
        this.#send(commands.signature, ...Buffer.from('frontpanel'));
    } else if (command === commands.modemState + fromServer) this.#hearModem(value[0] ?? 0);
    else if (command === commands.lineState + fromServer) this.#hearLine(value[0] ?? 0);
    else if (command === commands.suspend + fromServer) this.#events.suspend(true);
    else if (command === commands.resume + fromServer) this.#events.suspend(false);
  }

  /** After the option was offered: waits for it to be agreed on, then sets what is wanted and asks for the rest. */
  async begin(wanted: Partial<LineSettings>): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => settle(new Error('no answer to the offer of RFC 2217')), answerMs);
      const settle = (error?: Error) => {
        clearTimeout(timer);
        this.#agreed = undefined;
        if (error) reject(error);
        else resolve();
      };
      this.#agreed = settle;
    });
    await this.#configure(wanted, true);
    this.#send(commands.modemStateMask, 0xff);
    this.#send(commands.lineStateMask, 0x1e);
  }

  /** Whoever waits for an answer gets this reason instead. */
  close(reason: string): void {
    this.#closed ??= reason;
    this.#agreed?.(new Error(reason));
    this.#asked?.fail(new Error(reason));
  }

  async setBreak(on: boolean): Promise<void> {
    await this.#control(on ? controls.breakOn : controls.breakOff);
  }

  control(changed: (settings: LineSettings) => void): SerialControl {
    const settings = () => this.#settings;
    return {
      get settings() {
        return settings();
      },
      configure: async (wanted) => {
        await this.#configure(wanted, false);
        changed(this.#settings);
        return this.#settings;
      },
      setLines: async ({ dtr, rts }) => {
        if (dtr !== undefined) await this.#control(dtr ? controls.dtrOn : controls.dtrOff);
        if (rts !== undefined) await this.#control(rts ? controls.rtsOn : controls.rtsOff);
      },
      readLines: async () => {
        if (this.#modemState !== undefined) return linesOf(this.#modemState);
        throw new Error('the port has not told of its control lines');
      },
      purge: async (what) => {
        await this.#ask(commands.purge, [purges[what]]);
      },
    };
  }

  /** Sets what is wanted; with `all` asks for what is not. */
  async #configure(wanted: Partial<LineSettings>, all: boolean): Promise<void> {
    const { baudRate, dataBits, parity, stopBits, flowControl } = wanted;
    const ask = async (command: number, value: readonly number[] | undefined, none: readonly number[]) =>
      value || all ? this.#ask(command, value ?? none) : undefined;
    const speed = await ask(commands.baudRate, baudRate === undefined ? undefined : wordBytes(baudRate), [0, 0, 0, 0]);
    const size = await ask(commands.dataBits, dataBits === undefined ? undefined : [dataBits], [0]);
    const check = await ask(commands.parity, parity && [parities.indexOf(parity) + 1], [0]);
    const stop = await ask(commands.stopBits, stopBits && [stopSizes.indexOf(stopBits) + 1], [0]);
    const flow = await ask(commands.control, flowControl && [flowControls.indexOf(flowControl) + 1], [0]);
    const now = this.#settings;
    this.#settings = {
      baudRate: speed?.length === 4 ? word(speed) : now.baudRate,
      dataBits: dataSizeOf(size?.[0]) ?? now.dataBits,
      parity: parities[(check?.[0] ?? 0) - 1] ?? now.parity,
      stopBits: stopSizes[(stop?.[0] ?? 0) - 1] ?? now.stopBits,
      flowControl: flowControls[(flow?.[0] ?? 0) - 1] ?? now.flowControl,
    };
  }

  async #control(value: number): Promise<void> {
    await this.#ask(commands.control, [value]);
  }

  /** One question at a time, since answers carry no number. */
  #ask(command: number, value: readonly number[]): Promise<Uint8Array> {
    const answered = this.#turn.then(() => this.#askNow(command, value));
    this.#turn = answered.catch(() => {});
    return answered;
  }

  #askNow(command: number, value: readonly number[]): Promise<Uint8Array> {
    if (this.#closed !== undefined) return Promise.reject(new Error(this.#closed));
    return new Promise((resolve, reject) => {
      const settle = (done: () => void) => {
        clearTimeout(timer);
        this.#asked = undefined;
        done();
      };
      const fail = (error: Error) => settle(() => reject(error));
      const timer = setTimeout(
        () => fail(new Error(`the port did not answer (${nameOf(command)}) within ${answerMs / 1000} s`)),
        answerMs,
      );
      this.#asked = { command, answer: (bytes) => settle(() => resolve(bytes)), fail };
      this.#send(command, ...value);
    });
  }

  #send(command: number, ...value: readonly number[]): void {
    this.#events.send(Uint8Array.of(command, ...value));
  }

  #hearModem(state: number): void {
    const before = this.#modemState;
    this.#modemState = state;
    if (before === undefined || (before & 0xf0) === (state & 0xf0)) return;
    const lines = Object.entries(linesOf(state)).map(([name, on]) => `${name.toUpperCase()} ${on ? 'on' : 'off'}`);
    this.#events.notice(`control lines: ${lines.join(', ')}`);
  }

  #hearLine(state: number): void {
    const found = lineTroubles.filter(([bit]) => (state & bit) !== 0).map(([, what]) => what);
    if (found.length > 0) this.#events.notice(found.join(', '));
  }
}

function linesOf(state: number): InputLines {
  const { cts, dsr, dcd, ri } = modemBits;
  return { cts: (state & cts) !== 0, dsr: (state & dsr) !== 0, dcd: (state & dcd) !== 0, ri: (state & ri) !== 0 };
}

function dataSizeOf(value: number | undefined): LineSettings['dataBits'] | undefined {
  return value === 5 || value === 6 || value === 7 || value === 8 ? value : undefined;
}

function wordBytes(value: number): number[] {
  return [value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff];
}

function word([a = 0, b = 0, c = 0, d = 0]: Uint8Array): number {
  return a * 2 ** 24 + (b << 16) + (c << 8) + d;
}

function nameOf(command: number): string {
  return Object.entries(commands).find(([, number]) => number === command)?.[0] ?? String(command);
}
