/** Keys of this keyboard that have another name on the machine's. */
const named: Readonly<Record<string, string>> = {
  Enter: 'return',
  Backspace: 'del',
  Delete: 'del',
  Insert: 'inst',
  Escape: 'stop',
  PageUp: 'restore',
  Tab: 'ctrl',
  Alt: 'cbm',
  Home: 'home',
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ' ': 'space',
  F1: 'f1',
  F2: 'f2',
  F3: 'f3',
  F4: 'f4',
  F5: 'f5',
  F6: 'f6',
  F7: 'f7',
  F8: 'f8',
};

const directions: Readonly<Record<string, string>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ControlRight: 'fire',
};

/** Which of the machine's keys and directions are down, from what happens on this keyboard. */
export class Keys {
  readonly #keys = new Map<string, string>();
  readonly #directions = new Set<string>();
  joystick = false;

  get keys(): string[] {
    return [...new Set(this.#keys.values())];
  }

  get directions(): string[] {
    return [...this.#directions];
  }

  /** True when it means something to the machine. */
  change(event: KeyboardEvent, down: boolean): boolean {
    const direction = directions[event.code];
    if (this.joystick && direction !== undefined) {
      if (down) this.#directions.add(direction);
      else this.#directions.delete(direction);
      return true;
    }
    const name = named[event.key] ?? (event.key.length === 1 ? letter(event) : undefined);
    if (!down) return this.#keys.delete(event.code);
    if (name === undefined) return false;
    this.#keys.set(event.code, name);
    return true;
  }

  releaseAll(): void {
    this.#keys.clear();
    this.#directions.clear();
  }
}

/** Letters go as keys with their shift; other characters are chosen by what they look like. */
function letter(event: KeyboardEvent): string {
  return event.key.toLowerCase();
}
