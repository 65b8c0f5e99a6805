import type { PageKeys } from '../channel.ts';
import { keyAt } from './key-places.ts';

/** What we need of a `KeyboardEvent`. */
export interface Stroke {
  readonly code: string;
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
  getModifierState(name: string): boolean;
}

interface Held {
  /** The machine's name of the key. */
  readonly key: string;
  /** For a character: what else has to be down for it, and nothing but that. */
  readonly chord?: readonly string[];
  /** For a character: modifiers of this keyboard that are taken back while it is the last key pressed. */
  readonly lifted?: readonly string[];
}

const modifierFlags = [
  { codes: ['ShiftLeft', 'ShiftRight'], isDown: ({ shiftKey }: Stroke) => shiftKey },
  { codes: ['ControlLeft', 'ControlRight'], isDown: ({ ctrlKey }: Stroke) => ctrlKey },
  { codes: ['AltLeft', 'AltRight'], isDown: ({ altKey }: Stroke) => altKey },
] as const;
const [shifts] = modifierFlags;
const modifiers = new Set<string>(modifierFlags.flatMap(({ codes }) => codes));
const noNames: readonly string[] = [];

/**
 * Which of the machine's keys are down, from what happens on this keyboard.
 *
 * A character goes as the character that the browser made of it: as the chord that types it on the machine, whatever
 * the two layouts look like. All else goes by the place of the key, and so does everything with `byPlace`, with
 * letters under Ctrl and Alt in between: the letter counts, and the modifiers stay.
 */
export class HeldKeys {
  readonly #names: ReadonlySet<string>;
  readonly #characters: ReadonlyMap<string, readonly string[]>;
  readonly #shiftNames: ReadonlySet<string>;
  readonly #held = new Map<string, Held>();
  #last: string | undefined;
  byPlace = false;

  constructor({ names, characters }: Pick<PageKeys, 'names' | 'characters'>) {
    this.#names = new Set(names);
    this.#characters = new Map(Object.entries(characters));
    this.#shiftNames = new Set(shifts.codes.flatMap((code) => keyAt(code, this.#names) ?? []));
  }

  /** Modifiers first, so that what follows is pressed under them. */
  get keys(): string[] {
    const last = this.#last === undefined ? undefined : this.#held.get(this.#last);
    const lifted = last?.lifted ?? noNames;
    const down = [...this.#held].filter(([code]) => modifiers.has(code) && !lifted.includes(code));
    const hasShift = down.some(([code]) => shifts.codes.some((each) => each === code));
    const chord = (last?.chord ?? noNames).filter((name) => !(hasShift && this.#shiftNames.has(name)));
    const others = [...this.#held].filter(([code]) => !modifiers.has(code));
    return [...new Set([...down.map(([, { key }]) => key), ...chord, ...others.map(([, { key }]) => key)])];
  }

  /** True when the machine has such a key. */
  press(stroke: Stroke): boolean {
    this.#forgetReleased(stroke);
    // Keys under Meta belong to the browser; some systems never tell of their release.
    if (stroke.metaKey) return false;
    const held = this.#heldFor(stroke);
    if (!held) return false;
    this.#held.set(stroke.code, held);
    if (!modifiers.has(stroke.code)) this.#last = stroke.code;
    return true;
  }

  release(stroke: Stroke): boolean {
    this.#forgetReleased(stroke);
    if (this.#last === stroke.code) this.#last = undefined;
    return this.#held.delete(stroke.code) || modifiers.has(stroke.code);
  }

  /** The machine's name of a key that is held. */
  nameOf(code: string): string | undefined {
    return this.#held.get(code)?.key;
  }

  releaseAll(): void {
    this.#held.clear();
    this.#last = undefined;
  }

  #heldFor(stroke: Stroke): Held | undefined {
    const { code, key } = stroke;
    // With Ctrl the Pause key of a PC is another key.
    const isBreak = code === 'Pause' && stroke.ctrlKey && this.#names.has('break');
    const place = isBreak ? 'break' : keyAt(code, this.#names);
    const atPlace = place === undefined ? undefined : { key: place };
    if (this.byPlace) return atPlace;
    // The browser has already made characters of these two.
    if (code === 'CapsLock' || key === 'AltGraph') return undefined;
    return this.#character(stroke) ?? atPlace;
  }

  #character(stroke: Stroke): Held | undefined {
    const { code, key } = stroke;
    if ([...key].length !== 1 || key === ' ' || code.startsWith('Numpad')) return undefined;
    const isAltGraph = stroke.getModifierState('AltGraph');
    const isLetter = key.toLowerCase() !== key.toUpperCase();
    const small = this.#characters.get(key.toLowerCase())?.at(-1);
    if (!isAltGraph && (stroke.ctrlKey || stroke.altKey)) {
      return isLetter && small !== undefined ? { key: small } : undefined;
    }
    const keys = this.#characters.get(key);
    const own = keys?.at(-1);
    if (keys === undefined || own === undefined) return undefined;
    const chord = keys.slice(0, -1);
    // A machine that knows only one case has other characters under its shift key.
    if (isLetter && this.#characters.get(key.toUpperCase())?.length === 1) return { key: own };
    const needsShift = chord.some((name) => this.#shiftNames.has(name));
    const lifted = modifierFlags.flatMap(({ codes }) => (codes === shifts.codes && needsShift ? [] : codes));
    return { key: own, chord, lifted };
  }

  /** Modifiers whose release we were not told of: it happened in another window. */
  #forgetReleased(stroke: Stroke): void {
    for (const { codes, isDown } of modifierFlags) {
      if (!isDown(stroke)) for (const code of codes) if (code !== stroke.code) this.#held.delete(code);
    }
  }
}
