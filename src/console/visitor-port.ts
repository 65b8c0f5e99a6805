import type { ConsolePort, FileExchange, SerialLine, Visitor, WriteOptions, WriteResult } from '../machine/console.ts';
import { advice, call, MachineError } from '../machine/errors.ts';
import { busy, type LineAccess } from './line-access.ts';

/** What a port needs to be for a visitor. */
export type SharedPort = Omit<ConsolePort, 'access'> & { readonly access: LineAccess };

/** A port as one visitor has it. Rules about who may write are kept here, whatever tool is used. */
export class VisitorPort implements ConsolePort {
  readonly #port: SharedPort;
  readonly #who: Visitor;

  constructor(port: SharedPort, who: Visitor) {
    this.#port = port;
    this.#who = who;
    if (who.kind === 'agent') port.access.seen(who);
  }

  async write(bytes: Uint8Array, options: WriteOptions): Promise<WriteResult> {
    this.#requireWritable();
    const result = await this.#port.write(bytes, options);
    if (result.written + result.queued > 0) this.#port.access.wrote(this.#who);
    return result;
  }

  async sendBreak(durationMs: number): Promise<void> {
    this.#requireWritable();
    await this.#port.sendBreak(durationMs);
    this.#port.access.wrote(this.#who);
  }

  get serial(): SerialLine | undefined {
    const { serial } = this.#port;
    if (!serial) return undefined;
    const checked = <A extends unknown[], R>(call: (...args: A) => Promise<R>) => {
      return async (...args: A) => {
        this.#requireWritable();
        return call(...args);
      };
    };
    return {
      get settings() {
        return serial.settings;
      },
      configure: checked((wanted) => serial.configure(wanted)),
      setLines: checked((lines) => serial.setLines(lines)),
      readLines: () => serial.readLines(),
      purge: checked((what) => serial.purge(what)),
    };
  }

  restart(): void {
    this.#requireWritable();
    this.#port.restart();
  }

  #requireWritable(): void {
    const { writePolicy, access } = this.#port;
    if (writePolicy === 'deny' && this.#who.kind === 'agent') {
      throw new MachineError('DENIED', 'Agents may not type on this console (write_policy deny).', [
        advice`Reading is allowed: ${call('console_read')}.`,
        advice`A person can type with frontpanel attach.`,
      ]);
    }
    const { writer } = access;
    if (writer && !access.mayWrite(this.#who)) throw busy(writer);
  }

  get name() {
    return this.#port.name;
  }
  get link() {
    return this.#port.link;
  }
  get output() {
    return this.#port.output;
  }
  get writePolicy() {
    return this.#port.writePolicy;
  }
  get access() {
    return this.#port.access;
  }
  get screen() {
    return this.#port.screen;
  }
  /** Nobody else writes meanwhile, whoever has the line now. */
  get exchange(): FileExchange {
    const { exchange, access } = this.#port;
    const alone = async <T>(call: () => Promise<T>): Promise<T> => {
      this.#requireWritable();
      const hadIt = access.writer?.id === this.#who.id;
      access.claim(this.#who, false);
      try {
        return await call();
      } finally {
        if (!hadIt) access.release(this.#who);
      }
    };
    return {
      send: (file, options) => alone(() => exchange.send(file, options)),
      receive: (options) => alone(() => exchange.receive(options)),
    };
  }

  get humans() {
    return this.#port.humans;
  }
  get recording() {
    return this.#port.recording;
  }
  as(who: Visitor): ConsolePort {
    return this.#port.as(who);
  }
  cursor(reader: string): number {
    return this.#port.cursor(reader);
  }
  setCursor(reader: string, offset: number): void {
    this.#port.setCursor(reader, offset);
  }
  forgetSession(session: string): void {
    this.#port.forgetSession(session);
  }
  onActivity(listener: () => void): () => void {
    return this.#port.onActivity(listener);
  }
}
