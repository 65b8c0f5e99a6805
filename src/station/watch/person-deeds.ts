import type { Actor } from '../../api/roles.ts';
import type { ControlAction, PersonAction } from '../../api/watch.ts';
import type { Journal } from '../../rack/journal.ts';

/** What belongs together is one entry: until so long nothing came. */
const pauseMs = 1000;
const mostNames = 40;
const pressed: Readonly<Record<ControlAction, string>> = {
  run: 'pressed Run',
  pause: 'pressed Pause',
  reset: 'pressed Reset',
  'step into': 'stepped',
  'step over': 'stepped over',
  'step out': 'stepped out',
  'step back': 'stepped back',
};

/**
 * What a person does to one machine, in the journal between the calls of agents. Characters are only counted: what
 * somebody types may be a password.
 */
export class PersonDeeds {
  readonly #actor: Actor;
  readonly #machine: string;
  readonly #journal: Journal;
  readonly #now: () => number | undefined;
  #run:
    | {
        readonly what: string;
        readonly began: number;
        readonly time: number | undefined;
        last: number;
        count: number;
        readonly names: string[];
      }
    | undefined;
  #timer: NodeJS.Timeout | undefined;
  #down: readonly string[] = [];

  /** `now`: the machine's own time, where what it showed can be looked at later. */
  constructor(actor: Actor, machine: string, journal: Journal, now: () => number | undefined) {
    this.#actor = actor;
    this.#machine = machine;
    this.#journal = journal;
    this.#now = now;
  }

  act(action: PersonAction): void {
    switch (action.type) {
      case 'keys':
        this.#press(action.keys);
        break;
      case 'type':
        this.#more('console', [...action.text]);
        break;
      case 'joystick':
        if (action.directions.length === 0) break;
        this.#more(
          'joystick',
          action.directions.map((each) => `${action.port} ${each}`),
        );
        break;
      case 'moveTo':
      case 'moveBy':
      case 'wheel':
        this.#more('mouse', []);
        break;
      case 'buttons':
        if (action.buttons.length === 0) break;
        this.#more(
          'mouse',
          action.buttons.map((each) => `${each} button`),
        );
        break;
      case 'break':
        this.did('break', {}, 'sent a break');
        break;
      case 'control':
        this.did(action.action, {}, pressed[action.action]);
        break;
      case 'paste': {
        const characters = [...action.text].length;
        this.did('paste', { characters }, `pasted ${countOf(characters, 'character')}`);
      }
    }
  }

  did(what: string, args: Readonly<Record<string, unknown>>, text: string): void {
    this.end();
    this.#add(what, args, text, { began: Date.now(), time: this.#now() }, 0);
  }

  /** What has begun is over. */
  end(): void {
    clearTimeout(this.#timer);
    const run = this.#run;
    this.#run = undefined;
    if (!run) return;
    const named = run.names.length === 0 ? '' : `: ${run.names.join(', ')}`;
    const [text, args] =
      run.what === 'mouse' || run.what === 'joystick'
        ? [`moved the ${run.what}${named}`, { names: run.names }]
        : [
            `${run.what === 'keys' ? 'pressed' : 'typed'} ${countOf(run.count, run.what === 'keys' ? 'key' : 'character')}${named}`,
            { count: run.count, names: run.names },
          ];
    this.#add(run.what, args, text, run, run.last - run.began);
  }

  #press(keys: readonly string[]): void {
    const added = keys.filter((key) => !this.#down.includes(key));
    this.#down = keys;
    if (added.length > 0) this.#more('keys', added);
  }

  #more(what: string, names: readonly string[]): void {
    if (this.#run && this.#run.what !== what) this.end();
    const now = Date.now();
    this.#run ??= { what, began: now, time: this.#now(), last: now, count: 0, names: [] };
    const { names: kept } = this.#run;
    this.#run.last = now;
    this.#run.count += names.length;
    kept.push(
      ...names.filter((name) => [...name].length > 1 && kept.at(-1) !== name).slice(0, mostNames - kept.length),
    );
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.end(), pauseMs).unref();
  }

  #add(
    what: string,
    args: Readonly<Record<string, unknown>>,
    answer: string,
    { began: at, time }: { readonly began: number; readonly time: number | undefined },
    durationMs: number,
  ): void {
    const { client } = this.#actor;
    const call = {
      at,
      ...(time !== undefined && { time }),
      client,
      tool: `page ${what}`,
      machine: this.#machine,
      arguments: args,
      answer,
      isError: false,
      durationMs,
    };
    this.#journal.add({ ...call, isPerson: true });
  }
}

function countOf(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
