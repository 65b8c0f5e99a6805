import type { Machine } from '../machine/machine.ts';
import type { RackedMachine } from '../rack/racked-machine.ts';
import type { MachineInput, PageCommand, PageTerminal } from './channel.ts';
import { ConsoleView } from './console-view.ts';
import { describeInput } from './describe-input.ts';
import type { Hands } from './hands.ts';
import { personRun } from './person-run.ts';
import { isWithoutDisplay, PictureView } from './picture-view.ts';

export interface Viewer {
  /** False while it does not keep up. */
  isReady(): boolean;
  picture(bytes: Uint8Array): void;
  terminal(console: string, terminal: PageTerminal): void;
  input(input: MachineInput): void;
  noDisplay(): void;
  /** Machines that stand still between calls and run because a viewer wants them to. */
  readonly runs: WeakMap<Machine, AbortController>;
  /** The viewer is gone. */
  readonly left: AbortSignal;
  trouble(error: unknown): void;
}

type Deed = Exclude<PageCommand, { type: 'watch' }>;

/** A machine that somebody looks at: its screen or one of its consoles, and what they do to it. It is in use. */
export class WatchedMachine {
  readonly racked: RackedMachine;
  readonly #viewer: Viewer;
  readonly #hands: Hands;
  readonly #release: () => void;
  readonly #picture: PictureView | undefined;
  readonly #console: ConsoleView | undefined;
  readonly #left = new AbortController();
  #lastInput = '';

  constructor(racked: RackedMachine, console: string | undefined, hands: Hands, viewer: Viewer) {
    this.racked = racked;
    this.#hands = hands;
    this.#viewer = viewer;
    this.#release = racked.use();
    const { screen, console: consoles } = racked.machine;
    const port = consoles?.ports.find(({ name }) => name === console);
    if (port) {
      this.#console = new ConsoleView(port, {
        isReady: () => viewer.isReady(),
        show: (terminal) => viewer.terminal(port.name, terminal),
        trouble: (text) => viewer.trouble(text),
      });
    } else if (screen && console === undefined) {
      this.#picture = new PictureView(screen, {
        isReady: () => viewer.isReady(),
        show: (picture) => viewer.picture(picture),
        missing: (error) => {
          if (isWithoutDisplay(error)) viewer.noDisplay();
        },
      });
    }
    void this.refresh();
  }

  close(): void {
    this.#left.abort();
    this.#picture?.close();
    this.#console?.close();
    this.#hands.letGo(this).catch(() => {});
    this.#release();
  }

  /** Tells how the machine can be used, if that has changed. */
  async refresh(): Promise<void> {
    this.#hands.settle().catch(() => {});
    const input = await describeInput(this.racked.machine);
    const text = JSON.stringify(input);
    if (text === this.#lastInput || this.#left.signal.aborted) return;
    this.#lastInput = text;
    this.#viewer.input(input);
  }

  async obey(deed: Deed): Promise<void> {
    const hands = this.#hands;
    switch (deed.type) {
      case 'keys':
        return hands.hold(this, deed.keys);
      case 'repeat':
        return hands.repeat(deed.key);
      case 'joystick':
        return hands.steer(this, deed.port, deed.directions);
      case 'moveTo': {
        const size = this.#picture?.size;
        if (!size) return;
        return hands.moveTo(inside(deed.x, size.width), inside(deed.y, size.height), size);
      }
      case 'moveBy':
        return hands.moveBy(deed.dx, deed.dy);
      case 'buttons':
        return hands.press(this, deed.buttons);
      case 'wheel':
        return hands.wheel(deed.clicks);
      case 'type':
        return this.#console?.type(deed.text);
      case 'break':
        return this.#console?.sendBreak();
      case 'control':
        return this.#control(deed.action);
    }
  }

  async #control(action: 'run' | 'pause' | 'reset'): Promise<void> {
    const { control } = this.racked.machine;
    const { runs } = this.#viewer;
    const wasRunning = runs.has(this.racked.machine) || isRunning(this.racked.machine);
    if (action !== 'run') {
      runs.get(this.racked.machine)?.abort();
      runs.delete(this.racked.machine);
      if (wasRunning) await control?.pause();
    }
    if (action === 'reset') await control?.reset('soft');
    if (action === 'run' || (action === 'reset' && wasRunning)) await this.#goOn();
  }

  async #goOn(): Promise<void> {
    const { machine } = this.racked;
    const { control } = machine;
    const { runs, left } = this.#viewer;
    if (!control || runs.has(machine) || isRunning(machine)) return;
    const stop = await control.run({ wallMs: 0 }, left);
    if (isRunning(machine) || stop.cause !== 'limit') return;
    const run = new AbortController();
    runs.set(machine, run);
    personRun(this.racked, control, AbortSignal.any([run.signal, left]))
      .catch((error: unknown) => this.#viewer.trouble(error))
      .finally(() => {
        if (runs.get(machine) === run) runs.delete(machine);
      });
  }
}

function isRunning(machine: Machine): boolean {
  return machine.status().state === 'RUNNING';
}

function inside(at: number, size: number): number {
  return Math.max(0, Math.min(size - 1, at));
}
