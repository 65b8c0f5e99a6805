import { MachineError } from '../../machine/errors.ts';
import type { ScreenCapability } from '../../machine/screen.ts';
import { Matcher } from '../console/expect.ts';
import { describePattern, patternOf } from '../console/pattern-argument.ts';

interface Wanted {
  readonly screen_text?: string | undefined;
  readonly screen_stable_ms?: number | undefined;
}

/** Waits for text on a screen, or for a picture that does not move. */
export class ScreenWatch {
  readonly #screen: ScreenCapability;
  readonly #wanted: Wanted;
  #still = 0;
  #passedMs = 0;
  #last: Uint8Array | undefined;

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

  async #seesText(): Promise<string | undefined> {
    if (this.#wanted.screen_text === undefined) return undefined;
    const text = await this.#screen.text();
    if (!text) return undefined;
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
    const before = this.#last;
    this.#last = pixels.slice();
    const same = before?.length === pixels.length && pixels.every((p, i) => p === before[i]);
    this.#still = same ? this.#still + this.#passedMs : 0;
    this.#passedMs = 0;
    return this.#still >= wantedMs ? `the picture was still for ${this.#still.toFixed(0)} ms` : undefined;
  }
}
