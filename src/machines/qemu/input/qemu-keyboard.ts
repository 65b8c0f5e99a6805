import { setTimeout } from 'node:timers/promises';
import { advice, call, MachineError } from '../../../machine/errors.ts';
import type { KeyboardCapability } from '../../../machine/input.ts';
import { HeldKeys } from './held-keys.ts';
import { InputDevices, type KeyboardDevice } from './input-devices.ts';
import type { InputOptions } from './input-options.ts';
import { keyNamed, keyNames, placeNamed } from './key-names.ts';
import { type Stroke, strokesOf } from './layout.ts';
import { type LayoutName, layouts } from './layouts.ts';
import { Ps2Queue } from './ps2-queue.ts';

/** After each key that goes down or up, so that guests which look at the keyboard now and then see it. */
const holdMs = 10;
/** QEMU keeps 1,024 waiting events and drops the rest without a word; a key makes four. */
const keysAtOnce = 96;
const frameMs = 20;
/** No call lasts longer than 55 s, and one that is given up says nothing of what was taken. */
const typingMs = 45_000;
/** As PS/2 keyboards do it unless told otherwise: they wait, then 10.9 times a second. */
const repeatAfterMs = 500;
const repeatMs = 92;

/** The keyboard, typed on through a layout. QEMU paces keys of other keyboards than those of a PC by the guest's own clock. */
export class QemuKeyboard implements KeyboardCapability {
  readonly keyNames = keyNames;
  readonly #options: InputOptions;
  readonly #layout: LayoutName;
  readonly #strokes: ReadonlyMap<string, readonly Stroke[]>;
  readonly #devices: InputDevices;
  readonly #held: HeldKeys;
  readonly #queue: Ps2Queue;

  constructor(layout: LayoutName, options: InputOptions) {
    this.#layout = layout;
    this.#options = options;
    this.#strokes = strokesOf(layouts[layout]);
    this.#devices = new InputDevices(options.session);
    this.#held = new HeldKeys(options.session);
    this.#queue = new Ps2Queue(options);
  }

  async type(text: string, signal: AbortSignal): Promise<void> {
    const characters = [...text.replaceAll('\r\n', '\n')];
    const strokes = characters.flatMap((character, at) =>
      this.#strokesFor(character).map((stroke) => ({ ...stroke, at })),
    );
    const { isPs2 } = await this.#ready();
    const end = performance.now() + typingMs;
    let typed = 0;
    const taken = () => `it took ${typed} of ${characters.length} characters.`;
    for (const batch of batches(strokes, isPs2 ? Ps2Queue.keysAtOnce : keysAtOnce)) {
      signal.throwIfAborted();
      if (!this.#options.isRunning()) throw stopped(taken());
      if (performance.now() >= end) throw late(taken(), typed);
      if (!isPs2) {
        await Promise.all(batch.map(({ chord }) => this.#send(chord)));
        await setTimeout(batch.flatMap(({ chord }) => chord).length * 2 * holdMs, undefined, { signal });
        typed = batch.at(-1)?.after ?? typed;
        continue;
      }
      await this.#queue.hasRoom(batch.length, (waiting) => held(taken(), waiting), signal);
      for (const { chord, after } of batch) {
        await this.#strike(chord, taken, signal);
        typed = after;
      }
    }
  }

  /**
   * Each key of a PS/2 keyboard is seen to arrive: `send-key` would have QEMU hold it back for as long as the guest's clock is late, and
   * meanwhile there seems to be room for others.
   */
  async #strike(chord: readonly string[], taken: () => string, signal: AbortSignal): Promise<void> {
    const before = this.#held.keys;
    const settled = async () => {
      await setTimeout(holdMs, undefined, { signal });
      await this.#queue.emptied('keyboard', taken, signal);
    };
    try {
      await this.#held.set([...before, ...chord]);
      await settled();
    } finally {
      await this.#held.set(before);
    }
    await settled();
  }

  async press(chord: readonly string[], frames: number, signal: AbortSignal): Promise<void> {
    const keys = [...new Set(chord.flatMap((name) => this.#keysNamed(name)))];
    const { isPs2 } = await this.#ready();
    const before = this.#held.keys;
    if (isPs2) await this.#queue.hasRoom(1, (waiting) => `no key was pressed; ${waiting} wait in the BIOS.`, signal);
    try {
      for (const at of keys.keys()) {
        await this.#held.set([...before, ...keys.slice(0, at + 1)]);
        await setTimeout(holdMs, undefined, { signal });
      }
      await this.#pass(Math.max(holdMs, frames * frameMs) - holdMs, isPs2 ? keys.at(-1) : undefined, signal);
      for (const at of [...keys.keys()].reverse()) {
        await this.#held.set([...before, ...keys.slice(0, at)]);
        await setTimeout(holdMs, undefined, { signal });
      }
    } finally {
      await this.#held.set(before);
    }
    if (isPs2) await this.#queue.emptied('keyboard', () => 'the keys wait there.', signal);
  }

  async hold(names: readonly string[], ahead = false): Promise<void> {
    const wanted = new Set(names.flatMap((name) => placeNamed(name) ?? this.#strokes.get(name)?.[0]?.key ?? []));
    const isMore = [...wanted].some((key) => !this.#held.keys.includes(key));
    if (isMore) await (ahead ? this.#device() : this.#ready());
    await this.#held.set([...wanted]);
  }

  keysFor(character: string): readonly string[] | undefined {
    const [stroke, ...more] = this.#strokes.get(character) ?? [];
    return stroke && more.length === 0 ? [...stroke.held, stroke.key] : undefined;
  }

  /** QEMU leaves it to whoever shows the screen; guests with a PS/2 keyboard expect it from there. */
  async repeat(name: string): Promise<void> {
    const key = placeNamed(name);
    if (key !== undefined) await this.#held.repeat(key);
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

  async #send(keys: readonly string[]): Promise<void> {
    await this.#options.session.execute('send-key', {
      keys: keys.map((data) => ({ type: 'qcode', data })),
      'hold-time': holdMs,
    });
  }

  /** Real time is the guest's time while it runs. */
  async #pass(ms: number, repeated: string | undefined, signal: AbortSignal): Promise<void> {
    const began = performance.now();
    let nextMs = repeated === undefined ? ms : repeatAfterMs;
    for (let passedMs = 0; passedMs < ms; passedMs = performance.now() - began) {
      if (repeated !== undefined && passedMs >= nextMs) {
        await this.#held.repeat(repeated);
        nextMs = passedMs + repeatMs;
      }
      await setTimeout(Math.min(ms, nextMs) - passedMs, undefined, { signal });
    }
  }

  async #device(): Promise<KeyboardDevice> {
    const device = await this.#devices.keyboard();
    if (device) return device;
    throw new MachineError('MISSING_CAPABILITY', 'This machine has no keyboard.', [
      advice`Start it with one: ${call('machine_start', { kind: 'qemu', options: { gpu: 'on' } })}.`,
      advice`Use its console: ${call('console_send')}.`,
    ]);
  }

  /** QEMU takes keys without a word when there is nobody to get them. */
  async #ready(): Promise<KeyboardDevice> {
    const device = await this.#device();
    if (!this.#options.isRunning()) {
      throw new MachineError(
        'WRONG_STATE',
        'The machine is stopped and would not see the keys.',
        advice`Call ${call('run')} first.`,
      );
    }
    if (!device.bound) {
      throw new MachineError('WRONG_STATE', `The guest has no driver for its ${device.name} yet, so keys go nowhere.`, [
        advice`Wait until the guest has loaded it.`,
        advice`Use its console: ${call('console_send')}.`,
      ]);
    }
    return device;
  }
}

function stopped(taken: string): MachineError {
  return new MachineError(
    'WRONG_STATE',
    `The machine stopped during typing: ${taken}`,
    advice`Call ${call('run')} and continue there.`,
  );
}

/** Keys that are not lost, but that nobody has looked at yet. */
function held(taken: string, waiting: number): string {
  return `${taken.replace(/\.$/, '')}, of which ${waiting} wait in the BIOS.`;
}

function late(taken: string, count: number): MachineError {
  const message = `The guest reads its keyboard slowly: within ${typingMs / 1000} s ${taken}`;
  return new MachineError('LIMIT_REACHED', message, 'Send the rest in another call.', { taken: count });
}

interface Typed {
  readonly chord: readonly string[];
  /** Characters that are there once it has been struck. */
  readonly after: number;
}

/** Chords of the strokes, so many keys at once; a chord is never parted. */
function batches(strokes: readonly (Stroke & { readonly at: number })[], keysAtOnce: number): Typed[][] {
  const all: Typed[][] = [];
  let keys = Number.POSITIVE_INFINITY;
  for (const [n, { key, held, at }] of strokes.entries()) {
    const chord = [...held, key];
    keys += chord.length;
    if (keys > keysAtOnce) {
      all.push([]);
      keys = chord.length;
    }
    // A character of two strokes is there with the second.
    all.at(-1)?.push({ chord, after: strokes[n + 1]?.at === at ? at : at + 1 });
  }
  return all;
}
