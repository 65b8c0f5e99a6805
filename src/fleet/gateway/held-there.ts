import type { PersonAction } from '../../api/watch.ts';

/** What a person holds down on a machine of another host: a release has to get there, however late. */
export class HeldThere {
  readonly #held = new Map<string, readonly string[]>();

  sent(action: PersonAction): void {
    const part = partOf(action);
    if (part) this.#held.set(part.name, part.down);
  }

  /** As much of an action as lets go, and whether that is all of it; undefined if nothing of it does. */
  lettingGo(action: PersonAction): { readonly action: PersonAction; readonly isAll: boolean } | undefined {
    if (action.type === 'stopTyping') return { action, isAll: true };
    const part = partOf(action);
    if (!part) return undefined;
    const before = this.#held.get(part.name) ?? [];
    const kept = part.down.filter((each) => before.includes(each));
    const isAll = kept.length === part.down.length;
    return isAll || kept.length < before.length ? { action: part.with(kept), isAll } : undefined;
  }
}

interface Part {
  readonly name: string;
  readonly down: readonly string[];
  with(down: readonly string[]): PersonAction;
}

function partOf(action: PersonAction): Part | undefined {
  switch (action.type) {
    case 'keys':
      return { name: 'keys', down: action.keys, with: (keys) => ({ type: 'keys', keys }) };
    case 'buttons':
      return { name: 'buttons', down: action.buttons, with: (buttons) => ({ type: 'buttons', buttons }) };
    case 'joystick': {
      const { port, directions } = action;
      return { name: `joystick ${port}`, down: directions, with: (down) => ({ ...action, port, directions: down }) };
    }
    default:
      return undefined;
  }
}
