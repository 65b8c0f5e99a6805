import type { MachineInput, PageCommand } from '../channel.ts';
import { machineButtons } from './buttons.ts';
import { element } from './element.ts';
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

/** Keyboard, mouse, joystick and buttons of the machine whose screen is shown. */
export class Controls {
  readonly #send: (command: PageCommand) => void;
  readonly #pointer: Pointer;
  readonly #buttons = element('keys', HTMLElement);
  readonly #capture = element('capture', HTMLButtonElement);
  readonly #joystick = element('joystick', HTMLSelectElement);
  readonly #place = element('place', HTMLInputElement);
  #input: MachineInput = { joysticks: [] };
  #keys = new HeldKeys(noKeys);
  #onButtons: readonly string[] = [];
  readonly #stick = new Set<string>();
  #pad: readonly string[] = [];

  constructor(canvas: HTMLCanvasElement, send: (command: PageCommand) => void, changed: () => void) {
    this.#send = send;
    this.#pointer = new Pointer(canvas, send);
    // Screen readers pass all keys on to it.
    canvas.role = 'application';
    canvas.addEventListener('keydown', (event) => this.#press(event));
    canvas.addEventListener('keyup', (event) => this.#release(event));
    canvas.addEventListener('blur', () => this.releaseAll());
    this.#capture.onclick = () => this.#pointer.capture();
    this.#joystick.onchange = () => {
      this.releaseAll();
      changed();
    };
    this.#place.onchange = () => {
      this.releaseAll();
      this.#keys.byPlace = this.#place.checked;
      changed();
    };
    watchGamepad((directions) => {
      this.#pad = directions;
      this.#sendStick();
    });
  }

  get joystickPort(): number | undefined {
    return Number(this.#joystick.value) || undefined;
  }

  get isByPlace(): boolean {
    return this.#place.checked;
  }

  /** From now on this is in our hands; nothing, while no screen is shown. */
  show(input: MachineInput): void {
    const isSameKeyboard = JSON.stringify(input.keys) === JSON.stringify(this.#input.keys);
    const isSameStick = input.joysticks.join() === this.#input.joysticks.join();
    this.#input = input;
    this.#pointer.machine = input.pointer;
    this.#capture.hidden = !input.pointer?.movements;
    element('place-label', HTMLElement).hidden = !input.keys;
    element('joystick-label', HTMLElement).hidden = input.joysticks.length === 0;
    if (!isSameStick) this.#joystick.replaceChildren(...['off', ...input.joysticks].map(joystickOption));
    if (isSameKeyboard) return;
    this.#keys = new HeldKeys(input.keys ?? noKeys);
    this.#keys.byPlace = this.#place.checked;
    this.#buttons.replaceChildren(
      ...machineButtons(input.keys?.names ?? [], (keys) => {
        this.#onButtons = keys;
        this.#sendKeys();
      }),
    );
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
    if (this.joystickPort === undefined || direction === undefined) return false;
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
    const port = this.joystickPort;
    if (port !== undefined)
      this.#send({ type: 'joystick', port, directions: [...new Set([...this.#stick, ...this.#pad])] });
  }
}

/** As terminals have it: without Shift it is a chord for the machine. */
function isPasteStroke({ code, ctrlKey, shiftKey, altKey }: KeyboardEvent): boolean {
  return code === 'KeyV' && ctrlKey && shiftKey && !altKey;
}

function joystickOption(port: number | string): HTMLOptionElement {
  const option = document.createElement('option');
  option.value = typeof port === 'number' ? String(port) : '';
  option.textContent = typeof port === 'number' ? `port ${port}` : port;
  return option;
}
