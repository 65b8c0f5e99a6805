import type { RackedMachine } from '../rack/racked-machine.ts';
import type { MachineInput, PageCommand, PageTerminal } from './channel.ts';
import { ConsoleView } from './console-view.ts';
import { describeInput } from './describe-input.ts';
import type { Hands } from './hands.ts';
import { PersonControl, type PersonOptions } from './person-control.ts';
import { isWithoutDisplay, PictureView } from './picture-view.ts';
import { SoundView } from './sound-view.ts';

export interface Viewer extends PersonOptions {
  /** False while it does not keep up. */
  isReady(): boolean;
  /** False while nobody sees it. */
  isLooking(): boolean;
  picture(bytes: Uint8Array): void;
  sound(bytes: Uint8Array): void;
  terminal(console: string, terminal: PageTerminal): void;
  input(input: MachineInput): void;
  noDisplay(): void;
}

/** What a person does to a machine, not what they look at. */
export type Deed = Exclude<PageCommand, { type: 'watch' | 'look' | 'listen' }>;

/** A machine that somebody looks at: its screen or one of its consoles, and what they do to it. It is in use. */
export class WatchedMachine {
  readonly racked: RackedMachine;
  readonly #viewer: Viewer;
  readonly #hands: Hands;
  readonly #release: () => void;
  readonly #picture: PictureView | undefined;
  readonly #console: ConsoleView | undefined;
  readonly #control: PersonControl;
  #sound: SoundView | undefined;
  readonly #left = new AbortController();
  #lastInput = '';
  #lastTrouble = '';

  constructor(racked: RackedMachine, console: string | undefined, hands: Hands, viewer: Viewer) {
    this.racked = racked;
    this.#hands = hands;
    this.#viewer = viewer;
    this.#release = racked.use().release;
    this.#control = new PersonControl(racked, viewer);
    const { screen, console: consoles } = racked.machine;
    const port = consoles?.ports.find(({ name }) => name === console);
    if (port) {
      this.#console = new ConsoleView(port, {
        isReady: () => viewer.isReady() && viewer.isLooking(),
        show: (terminal) => viewer.terminal(port.name, terminal),
        trouble: (text) => viewer.trouble(text),
      });
    } else if (screen && console === undefined) {
      this.#picture = new PictureView(screen, {
        isReady: () => viewer.isReady() && viewer.isLooking(),
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
    this.#sound?.close();
    this.#control.stopTyping();
    this.#hands.letGo(this).catch(() => {});
    this.#release();
  }

  listen(isListening: boolean): void {
    this.#sound?.close();
    const { audio } = this.racked.machine;
    this.#sound =
      audio && isListening
        ? new SoundView(audio, {
            isReady: () => this.#viewer.isReady(),
            hear: (bytes) => this.#viewer.sound(bytes),
            trouble: (error) => this.#viewer.trouble(error),
          })
        : undefined;
  }

  /** Tells how the machine can be used, if that has changed. */
  async refresh(): Promise<void> {
    this.#hands.settle().catch(() => {});
    const input = await this.#input();
    if (!input) return;
    const text = JSON.stringify(input);
    if (text === this.#lastInput || this.#left.signal.aborted) return;
    this.#lastInput = text;
    this.#viewer.input(input);
  }

  /** Nothing while the machine does not say, as one that has just ended. */
  async #input(): Promise<MachineInput | undefined> {
    try {
      return await describeInput(this.racked.machine);
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      if (text !== this.#lastTrouble && !this.#left.signal.aborted) this.#viewer.trouble(error);
      this.#lastTrouble = text;
      return undefined;
    }
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
        return this.#control.act(deed.action);
      case 'paste':
        // The keys that were down for the chord must be up before it is typed.
        await hands.rest();
        return this.#control.paste(deed.text);
      case 'stopTyping':
        return this.#control.stopTyping();
    }
  }
}

function inside(at: number, size: number): number {
  return Math.max(0, Math.min(size - 1, at));
}
