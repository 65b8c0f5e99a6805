import { setTimeout } from 'node:timers/promises';
import { MachineError } from '../../../machine/errors.ts';
import type { KeyboardCapability } from '../../../machine/input.ts';
import type { QemuSession } from '../qemu-session.ts';
import { keyNamed, keyNames, placeNamed } from './key-names.ts';
import { type Stroke, strokesOf } from './layout.ts';
import { type LayoutName, layouts } from './layouts.ts';

export interface InputOptions {
  readonly session: QemuSession;
  /** The guest's clock goes on, so that it can take what is sent. */
  isRunning(): boolean;
}

/** After each key that goes down or up, so that guests which look at the keyboard now and then see it. */
const holdMs = 10;
/** QEMU keeps 1,024 waiting events and drops the rest without a word; a stroke with a shift makes ten. */
const strokesAtOnce = 48;
const frameMs = 20;

const keyboards = /dev: (?:i8042|ps2-kbd|usb-kbd|virtio-keyboard|pl050_keyboard|adb-keyboard|next-kbd|escc|sun-kbd)/;

/** The keyboard, typed on through a layout. QEMU paces the keys by the guest's own clock. */
export class QemuKeyboard implements KeyboardCapability {
  readonly keyNames = keyNames;
  readonly #options: InputOptions;
  readonly #layout: LayoutName;
  readonly #strokes: ReadonlyMap<string, readonly Stroke[]>;
  readonly #held = new Set<string>();
  #present: boolean | undefined;

  constructor(layout: LayoutName, options: InputOptions) {
    this.#layout = layout;
    this.#options = options;
    this.#strokes = strokesOf(layouts[layout]);
  }

  async type(text: string, signal: AbortSignal): Promise<void> {
    const strokes = [...text.replaceAll('\r\n', '\n')].flatMap((character) => this.#strokesFor(character));
    await this.#check();
    for (let at = 0; at < strokes.length; at += strokesAtOnce) {
      signal.throwIfAborted();
      const batch = strokes.slice(at, at + strokesAtOnce);
      const keys = batch.map(({ key, held }) => [...held, key]);
      await Promise.all(keys.map((chord) => this.#send(chord, holdMs)));
      await this.#passed(
        keys.reduce((sum, chord) => sum + chord.length * 2 * holdMs, 0),
        signal,
      );
    }
  }

  async press(chord: readonly string[], frames: number, signal: AbortSignal): Promise<void> {
    const keys = chord.flatMap((name) => this.#keysNamed(name));
    await this.#check();
    const perKeyMs = Math.max(holdMs, frames * frameMs);
    await this.#send(keys, perKeyMs);
    await this.#passed(keys.length * 2 * perKeyMs, signal);
  }

  async hold(names: readonly string[]): Promise<void> {
    const wanted = new Set(names.flatMap((name) => placeNamed(name) ?? this.#strokes.get(name)?.[0]?.key ?? []));
    const events = [
      ...[...this.#held].filter((key) => !wanted.has(key)).map((key) => keyEvent(key, false)),
      ...[...wanted].filter((key) => !this.#held.has(key)).map((key) => keyEvent(key, true)),
    ];
    if (events.length === 0) return;
    await this.#check();
    await this.#options.session.execute('input-send-event', { events });
    this.#held.clear();
    for (const key of wanted) this.#held.add(key);
  }

  keysFor(character: string): readonly string[] | undefined {
    const [stroke, ...more] = this.#strokes.get(character) ?? [];
    return stroke && more.length === 0 ? [...stroke.held, stroke.key] : undefined;
  }

  /** QEMU leaves it to whoever shows the screen; guests with a PS/2 keyboard expect it from there. */
  async repeat(name: string): Promise<void> {
    const key = placeNamed(name);
    if (key === undefined || !this.#held.has(key)) return;
    await this.#options.session.execute('input-send-event', { events: [keyEvent(key, true)] });
  }

  #strokesFor(character: string): readonly Stroke[] {
    const strokes = this.#strokes.get(character);
    if (strokes) return strokes;
    throw new MachineError(
      'INVALID_ARGUMENT',
      `${JSON.stringify(character)} cannot be typed on a keyboard with the layout "${this.#layout}".`,
      'Leave it out, send it over a console, or start the machine with the keyboard_layout that the guest uses.',
      { character },
    );
  }

  #keysNamed(name: string): readonly string[] {
    const key = keyNamed(name);
    if (key !== undefined) return [key];
    const [stroke, ...more] = this.#strokes.get(name) ?? [];
    if (stroke && more.length === 0) return [...stroke.held, stroke.key];
    throw new MachineError(
      'INVALID_ARGUMENT',
      `There is no key ${JSON.stringify(name.slice(0, 40))}.`,
      `Keys: ${keyNames.join(' ')}.`,
    );
  }

  async #send(keys: readonly string[], perKeyMs: number): Promise<void> {
    await this.#options.session.execute('send-key', {
      keys: keys.map((data) => ({ type: 'qcode', data })),
      'hold-time': perKeyMs,
    });
  }

  /** Real time is the guest's time while it runs. */
  async #passed(ms: number, signal: AbortSignal): Promise<void> {
    await setTimeout(ms, undefined, { signal });
  }

  /** QEMU takes keys without a word when there is nobody to get them. */
  async #check(): Promise<void> {
    const { session, isRunning } = this.#options;
    this.#present ??= keyboards.test(await session.hmp('info qtree'));
    if (!this.#present) {
      throw new MachineError(
        'MISSING_CAPABILITY',
        'This machine has no keyboard.',
        'Start it with "gpu":"on", which adds one, or use its console: console_send.',
      );
    }
    if (!isRunning()) {
      throw new MachineError('WRONG_STATE', 'The machine stands still and would not see the keys.', 'Call run first.');
    }
  }
}

function keyEvent(key: string, down: boolean) {
  return { type: 'key', data: { down, key: { type: 'qcode', data: key } } };
}
