import { commands, failure, text, u32 } from '../../../links/vice/wire.ts';
import { MachineError } from '../../../machine/errors.ts';
import { type ViceSession, whole } from './vice-session.ts';

const numberType = 1;

/** Settings of a VICE that are others for a while. Whoever calls has the turn. */
export class HeldSettings {
  readonly #before = new Map<string, number>();

  get names(): readonly string[] {
    return [...this.#before.keys()];
  }

  async hold(session: ViceSession, wanted: Readonly<Record<string, number>>): Promise<void> {
    for (const [name, value] of Object.entries(wanted)) {
      const before = await numberOf(session, name);
      if (before === value) continue;
      await setNumber(session, name, value);
      if (!this.#before.has(name)) this.#before.set(name, before);
    }
  }

  /** As they were. */
  async release(session: ViceSession): Promise<void> {
    for (const [name, value] of [...this.#before].reverse()) {
      await setNumber(session, name, value);
      this.#before.delete(name);
    }
  }
}

/** VICE has no list of its settings: each is asked for by its name, and one that this version does not have is refused. */
export async function numberOf(session: ViceSession, name: string): Promise<number> {
  try {
    return whole(await session.ask(commands.resourceGet, text(name)), 6).readUInt32LE(2);
  } catch (error) {
    if (!(error instanceof MachineError) || error.data.vice_error !== failure.missing) throw error;
    const message = `This VICE has no setting ${name}.`;
    throw new MachineError('MISSING_CAPABILITY', message, 'Use VICE 3.7, which supports everything that is used here.');
  }
}

export async function setNumber(session: ViceSession, name: string, value: number): Promise<void> {
  await session.ask(commands.resourceSet, [numberType, ...text(name), 4, ...u32(value)]);
}
