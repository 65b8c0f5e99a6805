import { setTimeout } from 'node:timers/promises';
import { MachineError } from '../../../machine/errors.ts';
import type { KeyboardCapability } from '../../../machine/input.ts';
import type { QemuSession } from '../qemu-session.ts';
import { keyNamed, keyNames, placeNamed } from './key-names.ts';
import { type Stroke, strokesOf } from './layout.ts';
import { type LayoutName, layouts } from './layouts.ts';
import { Ps2Queue } from './ps2-queue.ts';

export interface InputOptions {
  readonly session: QemuSession;
  /** The guest's clock goes on, so that it can take what is sent. */
  isRunning(): boolean;
}

/** After each key that goes down or up, so that guests which look at the keyboard now and then see it. */
const holdMs = 10;
/** QEMU keeps 1,024 waiting events and drops the rest without a word; a key makes four. */
const keysAtOnce = 96;
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
  #queue: Ps2Queue | undefined;

  constructor(layout: LayoutName, options: InputOptions) {
    this.#layout = layout;
    this.#options = options;
    this.#strokes = strokesOf(layouts[layout]);
  }

  async type(text: string, signal: AbortSignal): Promise<void> {
    const strokes = [...text.replaceAll('\r\n', '\n')].flatMap((character) => this.#strokesFor(character));
    await this.#check();
    let typed = 0;
    for (const batch of batches(strokes, this.#queue ? Ps2Queue.keysAtOnce : keysAtOnce)) {
      signal.throwIfAborted();
      await Promise.all(batch.map((chord) => this.#send(chord, holdMs)));
      await this.#passed(batch.flat().length * 2 * holdMs, signal);
      await this.#queue?.emptied(signal, () => `it took ${typed} of ${strokes.length} strokes.`);
      typed += batch.length;
    }
  }

  async press(chord: readonly string[], frames: number, signal: AbortSignal): Promise<void> {
    const keys = chord.flatMap((name) => this.#keysNamed(name));
    await this.#check();
    const perKeyMs = Math.max(holdMs, frames * frameMs);
    await this.#send(keys, perKeyMs);
    await this.#passed(keys.length * 2 * perKeyMs, signal);
    await this.#queue?.emptied(signal, () => 'the keys wait there.');
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
    if (this.#present === undefined) {
      const tree = await session.hmp('info qtree');
      this.#present = keyboards.test(tree);
      this.#queue = Ps2Queue.of(session, tree);
    }
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

/** Chords of the strokes, so many keys at once; a chord is never parted. */
function batches(strokes: readonly Stroke[], keysAtOnce: number): string[][][] {
  const all: string[][][] = [];
  let keys = Number.POSITIVE_INFINITY;
  for (const { key, held } of strokes) {
    const chord = [...held, key];
    keys += chord.length;
    if (keys > keysAtOnce) {
      all.push([]);
      keys = chord.length;
    }
    all.at(-1)?.push(chord);
  }
  return all;
}

function keyEvent(key: string, down: boolean) {
  return { type: 'key', data: { down, key: { type: 'qcode', data: key } } };
}
