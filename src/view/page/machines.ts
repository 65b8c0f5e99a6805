import type { MachineLine } from '../channel.ts';
import { element } from './element.ts';

/** The machines to choose from, and the one that is watched: its screen, or a console of it. */
export class Machines {
  readonly #nav = element('machines', HTMLElement);
  readonly #views = element('views', HTMLElement);
  readonly #changed: () => void;
  #list: readonly MachineLine[] = [];
  #handle: string | undefined;
  #console: string | undefined;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get watched(): MachineLine | undefined {
    return this.#list.find(({ handle }) => handle === this.#handle);
  }

  /** The console that is watched; undefined for the screen. */
  get console(): string | undefined {
    return this.#console;
  }

  show(list: readonly MachineLine[]): void {
    this.#list = list;
    const before = this.watched;
    const next = before ?? list.find(({ hasScreen }) => hasScreen) ?? list[0];
    if (next && !(before && this.#canStay(before))) this.#choose(next.handle, firstView(next));
    else if (!next && this.#handle !== undefined) this.#choose(undefined, undefined);
    else this.#paint();
  }

  #canStay({ hasScreen, consoles }: MachineLine): boolean {
    return this.#console === undefined ? hasScreen || consoles.length === 0 : consoles.includes(this.#console);
  }

  #choose(handle: string | undefined, console: string | undefined): void {
    this.#handle = handle;
    this.#console = console;
    this.#paint();
    this.#changed();
  }

  #paint(): void {
    update(
      this.#nav,
      this.#list.map((machine) => ({
        id: machine.handle,
        label: machine.handle,
        note: machine.state.toLowerCase(),
        isChosen: machine.handle === this.#handle,
        choose: () => this.#choose(machine.handle, firstView(machine)),
      })),
    );
    const { handle, hasScreen, consoles } = this.watched ?? { handle: '', hasScreen: false, consoles: [] };
    const views = [
      ...(hasScreen ? [{ id: 'screen', label: 'Screen', name: undefined }] : []),
      ...consoles.map((name) => ({ id: `console ${name}`, label: consoleLabel(name, handle), name })),
    ];
    this.#views.hidden = views.length < 2;
    update(
      this.#views,
      views.map(({ id, label, name }) => ({
        id,
        label,
        isChosen: name === this.#console,
        choose: () => this.#choose(handle, name),
      })),
    );
  }
}

function firstView({ hasScreen, consoles }: MachineLine): string | undefined {
  return hasScreen ? undefined : consoles[0];
}

/** Ports are named after their machine, all but the first with something after it. */
function consoleLabel(name: string, handle: string): string {
  return name === handle ? 'Console' : name.startsWith(`${handle}.`) ? name.slice(handle.length + 1) : name;
}

interface Choice {
  readonly id: string;
  readonly label: string;
  readonly note?: string;
  readonly isChosen: boolean;
  choose(): void;
}

/** Keeps buttons that are there already: one of them may have the focus. */
function update(place: HTMLElement, choices: readonly Choice[]): void {
  const before = new Map([...place.querySelectorAll('button')].map((button) => [button.dataset.id, button]));
  const buttons = choices.map(({ id, label, note, isChosen, choose }) => {
    const button = before.get(id) ?? document.createElement('button');
    button.type = 'button';
    button.dataset.id = id;
    button.dataset.note = note ?? '';
    if (button.textContent !== label) button.textContent = label;
    button.setAttribute('aria-pressed', String(isChosen));
    button.onclick = choose;
    return button;
  });
  if (buttons.some((button, index) => place.children[index] !== button) || place.children.length !== buttons.length) {
    place.replaceChildren(...buttons);
  }
}
