import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ControlCapability } from '../../machine/control.ts';
import type { ScreenCapability } from '../../machine/screen.ts';
import { PictureView } from './picture-view.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A machine whose picture is another one each time it is looked at, and a viewer that counts. */
class Room implements Disposable {
  isRunning = true;
  shown = 0;
  #frames: (() => void)[] = [];
  #looks = 0;
  readonly #view: PictureView;

  constructor({ tellsFrames, lookMs = 0 }: { readonly tellsFrames: boolean; readonly lookMs?: number }) {
    const screen: Pick<ScreenCapability, 'picture'> = {
      picture: async () => {
        if (lookMs > 0) await new Promise((resolve) => setTimeout(resolve, lookMs));
        return { width: 1, height: 1, palette: new Uint8Array(3), pixels: Uint8Array.of(this.#looks++) };
      },
    };
    const nextFrame = () => (this.isRunning ? new Promise<void>((resolve) => this.#frames.push(resolve)) : undefined);
    const machine = {
      screen: screen as ScreenCapability,
      control: (tellsFrames ? { nextFrame } : {}) as ControlCapability,
    };
    this.#view = new PictureView(machine, {
      isReady: () => true,
      show: () => {
        this.shown++;
      },
      missing: (error) => {
        throw error;
      },
    });
  }

  /** Time passes, and at its end the machine has drawn a frame. */
  async frame(ms: number): Promise<void> {
    await vi.advanceTimersByTimeAsync(ms);
    for (const wake of this.#frames.splice(0)) wake();
    await vi.advanceTimersByTimeAsync(0);
  }

  [Symbol.dispose](): void {
    this.#view.close();
  }
}

test('every frame that a machine tells of is shown, however unevenly they come', async () => {
  using room = new Room({ tellsFrames: true });
  await room.frame(20);
  const before = room.shown;
  for (const ms of [20, 16, 24, 16, 31, 18]) await room.frame(ms);
  expect(room.shown - before).toBe(6);
});

test('frames of a machine that runs faster than a screen are left out', async () => {
  using room = new Room({ tellsFrames: true });
  await room.frame(20);
  const before = room.shown;
  for (let frame = 0; frame < 40; frame++) await room.frame(2);
  expect(room.shown - before).toBe(5);
});

test('a machine that is stopped is looked at by the clock, and by frames again when it runs', async () => {
  using room = new Room({ tellsFrames: true });
  room.isRunning = false;
  await room.frame(20);
  const before = room.shown;
  await vi.advanceTimersByTimeAsync(1000);
  expect(room.shown - before).toBe(50);
  room.isRunning = true;
  await vi.advanceTimersByTimeAsync(20);
  const running = room.shown;
  await vi.advanceTimersByTimeAsync(200);
  expect(room.shown).toBe(running);
  await room.frame(0);
  expect(room.shown).toBe(running + 1);
});

test('a picture that takes long to make is asked for half of the time at most', async () => {
  using room = new Room({ tellsFrames: false, lookMs: 50 });
  await vi.advanceTimersByTimeAsync(1000);
  expect(room.shown).toBe(10);
});
