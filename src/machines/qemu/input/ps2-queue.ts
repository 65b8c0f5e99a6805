import { setTimeout } from 'node:timers/promises';
import { advice, call, MachineError } from '../../../machine/errors.ts';
import { BiosBuffer } from './bios-buffer.ts';
import type { InputOptions } from './input-options.ts';

const lookAgainMs = 5;
const patienceMs = 5000;
/** A processor that is never seen outside protected mode for so long has no BIOS that is asked for keys. */
const graceMs = 300;
const knownForMs = 10_000;
/** Port 64h, bit 0: the controller has a byte for the guest. Reading it changes nothing. */
const statusPort = 'i /xb 0x64';
const outputFull = 1;

/**
 * Sixteen bytes between a PC's keyboard or mouse and its driver, and fifteen keys between a BIOS and the programs that ask
 * it. A guest that is not given the time to read them loses keys without a word, so whoever types waits until they have
 * been taken.
 */
export class Ps2Queue {
  /** So many keys always fit, pressed and released. */
  static readonly keysAtOnce = 3;
  /** Of a mouse, each with four bytes. */
  static readonly packetsAtOnce = 3;
  readonly #options: InputOptions;
  readonly #bios: BiosBuffer;
  #withoutBiosUntil = 0;

  constructor(options: InputOptions) {
    this.#options = options;
    this.#bios = new BiosBuffer(options.session);
  }

  /** `taken` says in an error what has arrived so far. */
  async emptied(what: 'keyboard' | 'mouse', taken: () => string, signal?: AbortSignal): Promise<void> {
    const end = performance.now() + patienceMs;
    while (await this.#isFull()) {
      this.#requireRunning(taken);
      if (performance.now() >= end) throw unread(`its ${what}`, taken());
      await setTimeout(lookAgainMs, undefined, { signal });
    }
  }

  /**
   * Waits until so many keys fit where the BIOS of a PC keeps them, if there is one in use. A program may be slow to read
   * them; one that reads none for a while does not.
   */
  async hasRoom(keys: number, taken: (waiting: number) => string, signal?: AbortSignal): Promise<void> {
    if (performance.now() < this.#withoutBiosUntil) return;
    const began = performance.now();
    let [since, before, isInUse] = [began, -1, false];
    for (;;) {
      const found = await this.#bios.look();
      if (!found || found.room >= keys) return;
      this.#requireRunning(() => taken(found.waiting));
      const now = performance.now();
      if (found.waiting !== before) since = now;
      before = found.waiting;
      isInUse ||= await this.#bios.isInUse();
      if (!isInUse && now - began >= graceMs) {
        // Another system keeps something else there, which only looks like it.
        this.#withoutBiosUntil = now + knownForMs;
        return;
      }
      if (now - since >= patienceMs) throw unread('what the BIOS keeps for it', taken(found.waiting));
      await setTimeout(lookAgainMs, undefined, { signal });
    }
  }

  #requireRunning(taken: () => string): void {
    if (this.#options.isRunning()) return;
    throw new MachineError(
      'WRONG_STATE',
      `The machine stopped during typing: ${taken()}`,
      advice`Call ${call('run')} and continue there.`,
    );
  }

  async #isFull(): Promise<boolean> {
    const status = /= (0x[0-9a-f]+)/i.exec(await this.#options.session.hmp(statusPort))?.[1];
    return status !== undefined && (Number(status) & outputFull) !== 0;
  }
}

function unread(what: string, taken: string): MachineError {
  return new MachineError('WRONG_STATE', `The guest does not read ${what}: ${taken}`, [
    advice`Wait until it asks for keys: ${call('run', { screen_text: 'login:' })}.`,
    advice`Use its console: ${call('console_send')}.`,
  ]);
}
