import type { RecordedCall } from '../../api/tool-host.ts';
import type { Machine } from '../../machine/machine.ts';
import type { Stills } from './stills.ts';

type Scene = Pick<RecordedCall, 'before' | 'after' | 'isBeside' | 'time'>;

/** What stands around calls: how the screen was before and after, and whether another call was changing the machine. */
export class Scenes {
  readonly #stills: Stills;
  readonly #changing = new Map<Machine, number>();

  constructor(stills: Stills) {
    this.#stills = stills;
  }

  begin(machine: Machine | undefined, isRead: boolean): { end(machine: Machine | undefined): Scene } {
    const time = machine?.film && machine.status().now?.time;
    const before = machine && this.#stills.now(machine);
    const others = machine === undefined ? 0 : (this.#changing.get(machine) ?? 0);
    if (machine && !isRead) this.#changing.set(machine, others + 1);
    return {
      end: (now) => {
        if (machine && !isRead) this.#leave(machine);
        // It was about another machine after all, as one that it has started beside the only one.
        const isSame = now === undefined || now === machine;
        const after = now && (isRead && now === machine ? before : this.#stills.after(now));
        return {
          ...(isSame && time !== undefined && { time }),
          ...(isSame && before !== undefined && { before }),
          ...(after !== undefined && { after }),
          ...(isRead && others > 0 && { isBeside: true }),
        };
      },
    };
  }

  #leave(machine: Machine): void {
    const left = (this.#changing.get(machine) ?? 1) - 1;
    if (left === 0) this.#changing.delete(machine);
    else this.#changing.set(machine, left);
  }
}
