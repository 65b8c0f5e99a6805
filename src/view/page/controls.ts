import type { MachineInput, PageCommand } from '../channel.ts';
import { watchGamepad } from './gamepad.ts';
import { HeldKeys } from './held-keys.ts';
import { Pointer } from './pointer.ts';

const stickKeys: Readonly<Record<string, string>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ControlRight: 'fire',
};

const noKeys = { names: [], characters: {} };

/** Keyboard, mouse and joystick of the machine whose screen is shown. */
export class Controls {
  readonly #canvas: HTMLCanvasElement;
  readonly #send: (command: PageCommand) => void;
  readonly #pointer: Pointer;
  readonly #unwatchGamepad: () => void;
  #input: MachineInput = { joysticks: [] };
  #keys = new HeldKeys(noKeys);
  #onButtons: readonly string[] = [];
  readonly #stick = new Set<string>();
  #pad: readonly string[] = [];
  #joystickPort: number | undefined;

  constructor(canvas: HTMLCanvasElement, send: (command: PageCommand) => void) {
    this.#canvas = canvas;
    this.#send = send;
    this.#pointer = new Pointer(canvas, send);
    canvas.addEventListener('keydown', (event) => this.#press(event));
    canvas.addEventListener('keyup', (event) => this.#release(event));
    canvas.addEventListener('blur', () => this.releaseAll());
    this.#unwatchGamepad = watchGamepad((directions) => {
      this.#pad = directions;
      this.#sendStick();
    });
  }

  close(): void {
    this.releaseAll();
    this.#unwatchGamepad();
  }

  set joystickPort(port: number | undefined) {
    this.releaseAll();
    this.#joystickPort = port;
  }

  set byPlace(isByPlace: boolean) {
    this.releaseAll();
    this.#keys.byPlace = isByPlace;
  }

  captureMouse(): Promise<void> {
    return this.#pointer.capture();
  }

  /** The keyboard stays with the screen. */
  focus(): void {
    this.#canvas.focus();
  }

  /** Exactly these are held on the page's own buttons. */
  holdOnButtons(keys: readonly string[]): void {
    this.#onButtons = keys;
    this.#sendKeys();
  }

  /** One key, down and up again: a character, Enter or Backspace, from a keyboard that tells of nothing else. */
  strike(key: string): void {
    const none = { shiftKey: false, ctrlKey: false, altKey: false, metaKey: false, getModifierState: () => false };
    const stroke = { ...none, key, code: key === ' ' ? 'Space' : key.length > 1 ? key : 'Soft' };
    const { byPlace } = this.#keys;
    this.#keys.byPlace = false;
    if (this.#keys.press(stroke)) {
      this.#sendKeys();
      this.#keys.release(stroke);
      this.#sendKeys();
    }
    this.#keys.byPlace = byPlace;
  }

  /** From now on this is in our hands; nothing, while no screen is shown. */
  show(input: MachineInput): void {
    const isSameKeyboard = JSON.stringify(input.keys) === JSON.stringify(this.#input.keys);
    const { byPlace } = this.#keys;
    this.#input = input;
    this.#pointer.machine = input.pointer;
    if (isSameKeyboard) return;
    this.#keys = new HeldKeys(input.keys ?? noKeys);
    this.#keys.byPlace = byPlace;
  }

  releaseAll(): void {
    this.#keys.releaseAll();
    this.#onButtons = [];
    this.#stick.clear();
    this.#sendKeys();
    if (this.#input.joysticks.length > 0) {
      for (const port of this.#input.joysticks) this.#send({ type: 'joystick', port, directions: [] });
    }
    this.#pointer.letGo();
  }

  #press(event: KeyboardEvent): void {
    if (event.isComposing || event.defaultPrevented || this.#steer(event, true)) return;
    if (isPasteStroke(event)) {
      // The keys that are down for it must not be down while it is typed.
      this.#keys.releaseAll();
      this.#sendKeys();
      return;
    }
    if (event.repeat) this.#repeat(event);
    else if (this.#keys.press(event)) this.#sendKeys();
    else return;
    event.preventDefault();
  }

  #release(event: KeyboardEvent): void {
    if (this.#steer(event, false) || !this.#keys.release(event)) return;
    event.preventDefault();
    this.#sendKeys();
  }

  #repeat({ code }: KeyboardEvent): void {
    const key = this.#keys.nameOf(code);
    if (key !== undefined && this.#input.keys?.repeats) this.#send({ type: 'repeat', key });
  }

  #steer(event: KeyboardEvent, down: boolean): boolean {
    const direction = stickKeys[event.code];
    if (this.#joystickPort === undefined || direction === undefined) return false;
    event.preventDefault();
    if (down) this.#stick.add(direction);
    else this.#stick.delete(direction);
    if (!event.repeat) this.#sendStick();
    return true;
  }

  #sendKeys(): void {
    if (this.#input.keys) this.#send({ type: 'keys', keys: [...new Set([...this.#keys.keys, ...this.#onButtons])] });
  }

  #sendStick(): void {
    const port = this.#joystickPort;
    if (port !== undefined)
      this.#send({ type: 'joystick', port, directions: [...new Set([...this.#stick, ...this.#pad])] });
  }
}

/** As terminals have it: without Shift it is a chord for the machine. */
function isPasteStroke({ code, ctrlKey, shiftKey, altKey }: KeyboardEvent): boolean {
  return code === 'KeyV' && ctrlKey && shiftKey && !altKey;
}
