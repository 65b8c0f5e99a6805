import { MachineError } from '../../machine/errors.ts';
import type { ScreenCapability, TextScreen } from '../../machine/screen.ts';
import { Matcher } from '../console/expect.ts';
import { describePattern, patternOf } from '../console/pattern-argument.ts';
import { showText } from '../picture/show-text.ts';

interface Wanted {
  readonly screen_text?: string | undefined;
  readonly screen_stable_ms?: number | undefined;
}

/** A cursor that blinks is no movement: the picture goes between these and nothing new comes. */
const blinkingPictures = 2;

/** Waits for text on a screen, or for a picture that does not move. */
export class ScreenWatch {
  readonly #screen: ScreenCapability;
  readonly #wanted: Wanted;
  #still = 0;
  #passedMs = 0;
  /** The newest that differ from each other. */
  #seen: Uint8Array[] = [];
  /** As it was seen last. */
  #text: TextScreen | undefined;

  static async of(screen: ScreenCapability | undefined, wanted: Wanted): Promise<ScreenWatch | undefined> {
    if (wanted.screen_text === undefined && wanted.screen_stable_ms === undefined) return undefined;
    if (screen) return new ScreenWatch(screen, wanted);
    throw new MachineError('MISSING_CAPABILITY', 'This machine has no screen.', 'Wait for something else.');
  }

  private constructor(screen: ScreenCapability, wanted: Wanted) {
    this.#screen = screen;
    this.#wanted = wanted;
  }

  /** So much of the machine's time went by since the last look. */
  passed(ms: number): void {
    this.#passedMs += ms;
  }

  /** What was waited for, once it is there. */
  async look(): Promise<string | undefined> {
    return (await this.#seesText()) ?? (await this.#isStill());
  }

  /** Why it was not seen, when the time is up. */
  get missed(): string {
    const never = this.#wanted.screen_text !== undefined && this.#text === undefined;
    return never ? 'not seen: the screen was in no text mode; look at its picture' : 'not seen; the limit is reached';
  }

  /** What stands on the screen in place of what was waited for. */
  get shown(): string | undefined {
    return this.#text && showText(this.#text);
  }

  async #seesText(): Promise<string | undefined> {
    if (this.#wanted.screen_text === undefined) return undefined;
    const text = await this.#screen.text();
    if (!text) return undefined;
    this.#text = text;
    const pattern = patternOf(this.#wanted.screen_text);
    const matcher = await Matcher.create({ patterns: [pattern] });
    const match = await matcher.push(`${text.lines.join('\n')}\n`);
    return match && `${describePattern(pattern)} is on screen`;
  }

  async #isStill(): Promise<string | undefined> {
    const { screen_stable_ms: wantedMs } = this.#wanted;
    if (wantedMs === undefined) return undefined;
    const picture = await this.#screen.picture();
    const pixels = 'rgb' in picture ? picture.rgb : picture.pixels;
    const known = this.#seen.some((before) => isSame(before, pixels));
    if (!known) this.#seen = [pixels.slice(), ...this.#seen].slice(0, blinkingPictures);
    // The second of two that take turns is the first sign of a cursor, and of a movement: time begins anew with it.
    this.#still = known ? this.#still + this.#passedMs : 0;
    this.#passedMs = 0;
    return this.#still >= wantedMs ? `the picture was still for ${this.#still.toFixed(0)} ms` : undefined;
  }
}

function isSame(before: Uint8Array, pixels: Uint8Array): boolean {
  if (before.length !== pixels.length) return false;
  // A plain loop: a large screen has millions of them.
  for (let at = 0; at < pixels.length; at++) if (pixels[at] !== before[at]) return false;
  return true;
}
