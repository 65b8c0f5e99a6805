import { type Actor, requireRole, roleOfEffect } from '../../api/roles.ts';
import type { Deed } from '../../api/tool-host.ts';
import type { MachineInput, PersonAction, Viewer, Watch } from '../../api/watch.ts';
import type { RackedMachine } from '../../rack/racked-machine.ts';
import { ConsoleView } from './console-view.ts';
import { describeInput } from './describe-input.ts';
import type { Hands } from './hands.ts';
import { PersonControl } from './person-control.ts';
import type { PersonDeeds } from './person-deeds.ts';
import { isWithoutDisplay, PictureView } from './picture-view.ts';
import { SoundView } from './sound-view.ts';
import { textOf } from './text-of.ts';
import type { WatchRoom } from './watch-room.ts';

/** A person who types is noted in the log of who did what once in so long. */
const sameActionMs = 60_000;

export interface PersonWatchOptions {
  readonly actor: Actor;
  readonly viewer: Viewer;
  readonly room: WatchRoom;
  readonly deeds: PersonDeeds;
  audit(deed: Deed): void;
  /** What they did may have changed the state of the machine. */
  handled(): void;
}

/** A machine that somebody looks at: its screen or one of its consoles, and what they do to it. It is in use. */
export class PersonWatch implements Watch {
  readonly #racked: RackedMachine;
  readonly #options: PersonWatchOptions;
  readonly #hands: Hands;
  readonly #release: () => void;
  readonly #picture: PictureView | undefined;
  readonly #console: ConsoleView | undefined;
  readonly #control: PersonControl;
  #sound: SoundView | undefined;
  readonly #left = new AbortController();
  readonly #noted = new Map<string, number>();
  #lastInput = '';
  #lastTrouble = '';

  constructor(racked: RackedMachine, console: string | undefined, options: PersonWatchOptions) {
    this.#racked = racked;
    this.#options = options;
    const { viewer, room } = options;
    this.#hands = room.handsOn(racked.machine);
    const leave = room.enter(racked.machine, options.actor.client);
    const { release } = racked.use();
    this.#release = () => {
      leave();
      release();
    };
    this.#control = new PersonControl(racked, {
      runs: room.runs,
      turns: room.turnsOf(racked.machine),
      left: this.#left.signal,
      handled: () => options.handled(),
      typing: (typed, total, isOver) => viewer.typing(typed, total, isOver),
      trouble: (text) => viewer.trouble(text),
    });
    const isReady = () => viewer.isReady() && viewer.isLooking();
    const { screen, control, console: consoles } = racked.machine;
    const port = consoles?.ports.find(({ name }) => name === console);
    if (port) {
      this.#console = new ConsoleView(port, {
        isReady,
        show: (terminal) => viewer.terminal(port.name, terminal),
        trouble: (text) => viewer.trouble(text),
      });
    } else if (screen && console === undefined) {
      this.#picture = new PictureView(
        { screen, control },
        {
          isReady,
          show: (picture) => viewer.picture(picture),
          missing: (error) => {
            if (isWithoutDisplay(error)) room.withoutDisplay.add(racked.machine);
          },
        },
      );
    }
    this.refresh();
  }

  get isOver(): boolean {
    return this.#racked.gone.aborted;
  }

  close(): void {
    this.#left.abort();
    this.#options.deeds.end();
    this.#picture?.close();
    this.#console?.close();
    this.#sound?.close();
    this.#control.stopTyping();
    this.#hands.letGo(this).catch(() => {});
    this.#release();
  }

  listen(isListening: boolean): void {
    this.#sound?.close();
    const { viewer } = this.#options;
    const { audio } = this.#racked.machine;
    this.#sound =
      audio && isListening
        ? new SoundView(audio, {
            isReady: () => viewer.isReady(),
            hear: (sound) => viewer.sound(sound),
            trouble: (error) => viewer.trouble(textOf(error)),
          })
        : undefined;
  }

  refresh(): void {
    this.#hands.settle().catch(() => {});
    void this.#tellInput();
  }

  async act(action: PersonAction): Promise<void> {
    const what = action.type === 'control' ? action.action : action.type === 'paste' ? 'paste' : 'input';
    try {
      requireRole(this.#options.actor, roleOfEffect.change, 'Using a machine');
    } catch (error) {
      this.#note(what, 'denied');
      throw error;
    }
    if (!isLettingGo(action)) this.#racked.hold.requireFree('this', this.#options.actor.person);
    this.#note(what, 'done');
    this.#options.deeds.act(action);
    await this.#carryOut(action);
  }

  #note(what: string, outcome: 'done' | 'denied'): void {
    const key = `${what} ${outcome}`;
    const now = performance.now();
    if (what === 'input' && now - (this.#noted.get(key) ?? Number.NEGATIVE_INFINITY) < sameActionMs) return;
    this.#noted.set(key, now);
    this.#options.audit({ tool: `page ${what}`, machine: this.#racked.handle, outcome });
  }

  async #carryOut(action: PersonAction): Promise<void> {
    const hands = this.#hands;
    switch (action.type) {
      case 'keys':
        return hands.hold(this, action.keys);
      case 'repeat':
        return hands.repeat(action.key);
      case 'joystick':
        return hands.steer(this, action.port, action.directions);
      case 'moveTo': {
        const size = this.#picture?.size;
        if (!size) return;
        return hands.moveTo(inside(action.x, size.width), inside(action.y, size.height), size);
      }
      case 'moveBy':
        return hands.moveBy(action.dx, action.dy);
      case 'buttons':
        return hands.press(this, action.buttons);
      case 'wheel':
        return hands.wheel(action.clicks);
      case 'type':
        return this.#console?.type(action.text);
      case 'break':
        return this.#console?.sendBreak();
      case 'control':
        return this.#control.act(action.action);
      case 'paste':
        // The keys that were down for the chord must be up before it is typed.
        await hands.rest();
        return this.#control.paste(action.text);
      case 'stopTyping':
        return this.#control.stopTyping();
    }
  }

  async #tellInput(): Promise<void> {
    const input = await this.#input();
    if (!input) return;
    const text = JSON.stringify(input);
    if (text === this.#lastInput || this.#left.signal.aborted) return;
    this.#lastInput = text;
    this.#options.viewer.input(input);
  }

  /** Nothing while the machine does not say, as one that has just ended. */
  async #input(): Promise<MachineInput | undefined> {
    try {
      return await describeInput(this.#racked.machine);
    } catch (error) {
      const text = textOf(error);
      if (text !== this.#lastTrouble && !this.#left.signal.aborted) this.#options.viewer.trouble(text);
      this.#lastTrouble = text;
      return undefined;
    }
  }
}

/** That does no harm to whoever has the machine now. */
function isLettingGo(action: PersonAction): boolean {
  if (action.type === 'keys') return action.keys.length === 0;
  if (action.type === 'joystick') return action.directions.length === 0;
  return action.type === 'buttons' && action.buttons.length === 0;
}

function inside(at: number, size: number): number {
  return Math.max(0, Math.min(size - 1, at));
}
