import { setTimeout } from 'node:timers/promises';
import type { MouseCapability, PictureSize } from '../../machine/input.ts';
import type { Machine } from '../../machine/machine.ts';

interface Grip {
  keys: readonly string[];
  buttons: readonly string[];
  readonly sticks: Map<number, readonly string[]>;
}

/** Where a slow machine leaves a fast mouse behind: so many of its longest steps may wait. */
const mostWaitingSteps = 4;
const defaultFrameMs = 20;
/** What is left of a way that grew while the machine was busy. */
const farthest = 4096;
/** So long a key is down, and up again, before the next one: programs look once in a picture, and may have just looked. */
const framesSeen = 2;
const lookMs = 5;
/** A computer that is busy is waited for, however long it keeps us waiting itself; a machine that has stopped is not. */
const mostLooks = 600;

/**
 * The hands of everybody who uses one machine through the page. What they do reaches it one after the other, in the
 * order in which they did it; what one of them holds is held until all have let go.
 */
export class Hands {
  readonly #machine: Machine;
  readonly #isRunning: () => boolean;
  readonly #grips = new Map<object, Grip>();
  readonly #buttonsDown = new Set<string>();
  #turn: Promise<unknown> = Promise.resolve();
  #place: { readonly x: number; readonly y: number; readonly size: PictureSize } | undefined;
  #way = { dx: 0, dy: 0 };
  /** The machine refused to let go of something: it stood still. */
  #isStuck = false;

  /** `isRunning`: its time passes, for whomever. */
  constructor(machine: Machine, isRunning = () => machine.status().state === 'RUNNING') {
    this.#machine = machine;
    this.#isRunning = isRunning;
  }

  /** Exactly these keys are held by this person. */
  hold(person: object, keys: readonly string[]): Promise<void> {
    this.#grip(person).keys = keys;
    return this.#holdAll();
  }

  repeat(key: string): Promise<void> {
    return this.#inTurn(async () => this.#machine.keyboard?.repeat?.(key));
  }

  steer(person: object, port: number, directions: readonly string[]): Promise<void> {
    const { joystick } = this.#machine;
    if (!joystick?.ports.includes(port)) return Promise.resolve();
    this.#grip(person).sticks.set(port, directions);
    const all = [...this.#grips.values()].flatMap(({ sticks }) => sticks.get(port) ?? []);
    return this.#inTurn(() => joystick.set(port, [...new Set(all)], true));
  }

  press(person: object, buttons: readonly string[]): Promise<void> {
    this.#grip(person).buttons = buttons;
    return this.#pressAll();
  }

  /** Where a mouse was last is all that counts. */
  moveTo(x: number, y: number, size: PictureSize): Promise<void> {
    this.#place = { x, y, size };
    return this.#inTurn(async () => {
      const place = this.#place;
      this.#place = undefined;
      if (place) await this.#machine.mouse?.moveTo(place.x, place.y, place.size);
    });
  }

  moveBy(dx: number, dy: number): Promise<void> {
    this.#way = { dx: this.#way.dx + dx, dy: this.#way.dy + dy };
    return this.#inTurn(async () => {
      const { mouse } = this.#machine;
      const { dx: x, dy: y } = this.#way;
      this.#way = { dx: 0, dy: 0 };
      if (mouse && (x !== 0 || y !== 0)) await this.#walk(mouse, x, y);
    });
  }

  wheel(clicks: number): Promise<void> {
    return this.#inTurn(async () => this.#machine.mouse?.wheel(clicks));
  }

  /** When all that was done so far has reached the machine. */
  async rest(): Promise<void> {
    await this.#turn;
  }

  /** This person is gone. */
  async letGo(person: object): Promise<void> {
    const grip = this.#grips.get(person);
    if (!grip) return;
    for (const port of grip.sticks.keys()) await this.steer(person, port, []);
    this.#grips.delete(person);
    if (grip.keys.length > 0) await this.#holdAll();
    if (grip.buttons.length > 0) await this.#pressAll();
  }

  /** To be called now and then: what could not be let go on a machine that stood still is let go when it runs. */
  async settle(): Promise<void> {
    if (!this.#isStuck || this.#machine.status().state !== 'RUNNING') return;
    this.#isStuck = false;
    await this.#holdAll();
    await this.#pressAll();
  }

  #grip(person: object): Grip {
    const grip = this.#grips.get(person) ?? { keys: [], buttons: [], sticks: new Map() };
    this.#grips.set(person, grip);
    return grip;
  }

  #holdAll(): Promise<void> {
    const keys = [...new Set([...this.#grips.values()].flatMap((grip) => grip.keys))];
    return this.#inTurn(() =>
      this.#unlessStuck(async () => {
        const from = this.#frame;
        await this.#machine.keyboard?.hold(keys);
        await this.#untilSeen(from);
      }),
    );
  }

  /** Of machines that count their pictures. */
  get #frame(): number | undefined {
    return this.#machine.status().now?.beam?.frame;
  }

  /** However fast fingers are, and however slow this computer. */
  async #untilSeen(from: number | undefined): Promise<void> {
    if (from === undefined) return;
    for (let looks = 0; looks < mostLooks && this.#isRunning(); looks++) {
      const passed = (this.#frame ?? from) - from;
      if (passed < 0 || passed >= framesSeen) return;
      await setTimeout(lookMs);
    }
  }

  #pressAll(): Promise<void> {
    const { mouse } = this.#machine;
    if (!mouse) return Promise.resolve();
    const all = [...this.#grips.values()].flatMap(({ buttons }) => buttons);
    const wanted = new Set(all.filter((button) => mouse.buttons.includes(button)));
    return this.#inTurn(() =>
      this.#unlessStuck(async () => {
        for (const button of mouse.buttons) {
          if (wanted.has(button) === this.#buttonsDown.has(button)) continue;
          await mouse.button(button, wanted.has(button));
          if (wanted.has(button)) this.#buttonsDown.add(button);
          else this.#buttonsDown.delete(button);
        }
      }),
    );
  }

  async #unlessStuck(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.#isStuck = true;
      throw error;
    }
  }

  /** In steps that a program can follow, where the machine says how long those are. */
  async #walk(mouse: MouseCapability, dx: number, dy: number): Promise<void> {
    const { longestStep } = await mouse.reach();
    if (longestStep === undefined) return mouse.moveBy(clamp(dx, farthest), clamp(dy, farthest));
    const { framesPerSecond } = this.#machine.control ?? {};
    const frameMs = framesPerSecond === undefined ? defaultFrameMs : 1000 / framesPerSecond;
    let [x, y] = [dx, dy].map((way) => clamp(way, longestStep * mostWaitingSteps)) as [number, number];
    while (x !== 0 || y !== 0) {
      const [stepX, stepY] = [clamp(x, longestStep), clamp(y, longestStep)];
      await mouse.moveBy(stepX, stepY);
      await setTimeout(frameMs);
      x -= stepX;
      y -= stepY;
    }
  }

  #inTurn(act: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(act);
    this.#turn = done.catch(() => {});
    return done;
  }
}

function clamp(value: number, most: number): number {
  return Math.max(-most, Math.min(most, value));
}
