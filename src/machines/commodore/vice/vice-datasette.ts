import { ownValue } from '../../../formats/own-value.ts';
import { advice, call, MachineError } from '../../../machine/errors.ts';
import type { ViceEngine } from './vice-engine.ts';
import type { ViceSession } from './vice-session.ts';

/** By the numbers that VICE's monitor has for them. */
const keys: Readonly<Record<string, number>> = { tape_stop: 0, tape_play: 1, tape_rewind: 3, tape_record: 4 };
const withTape = ['tape_play', 'tape_rewind', 'tape_record'];

/** The keys of the datasette. */
export class ViceDatasette {
  readonly keyNames = Object.keys(keys);
  readonly #session: ViceSession;
  readonly #engine: ViceEngine;
  readonly #hasTape: () => boolean;

  constructor(session: ViceSession, engine: ViceEngine, hasTape: () => boolean) {
    this.#session = session;
    this.#engine = engine;
    this.#hasTape = hasTape;
  }

  async press(name: string): Promise<void> {
    if (withTape.includes(name) && !this.#hasTape()) {
      throw new MachineError(
        'WRONG_STATE',
        `There is no tape in the datasette for ${name}.`,
        advice`Insert one with ${call('media_attach', { path: 'game.tap' })}.`,
      );
    }
    await this.#engine.exclusively(() => this.#session.command(`tapectrl ${ownValue(keys, name) ?? 0}`));
  }
}
