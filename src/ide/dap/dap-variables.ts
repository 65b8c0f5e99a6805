import { hex0x } from '../../formats/hex.ts';
import { MachineError } from '../../machine/errors.ts';
import { type Data, type DebuggedMachine, wide } from '../debugged-machine.ts';

/** Above every number of a frame, by which its registers go. */
const firstReference = 1_000_000;
/** What an IDE can have opened at once; the oldest go first. */
const mostReferences = 20_000;
const mostAtOnce = 256;

/** A variable as the machine tells it. */
export interface SeenVariable {
  readonly name: string;
  readonly text: string;
  readonly type: string;
  readonly address?: number | string;
  readonly bytes: number;
  readonly expression?: string;
  readonly parts: number;
  readonly isIndexed: boolean;
}

/** Something that can be opened: the variables of a frame, or what one of them is made of. */
interface Opened {
  readonly thread: number;
  readonly frame: number;
  readonly of?: string;
}

/** The numbers by which an IDE asks for variables. */
export class DapVariables {
  readonly #opened = new Map<number, Opened>();
  readonly #known = new Map<string, number>();
  readonly #machineOf: (thread: number) => DebuggedMachine;
  #next = firstReference;

  constructor(machineOf: (thread: number) => DebuggedMachine) {
    this.#machineOf = machineOf;
  }

  isReference(value: unknown): value is number {
    return typeof value === 'number' && value >= firstReference;
  }

  /** The scope of a frame's variables; undefined where none are known. */
  async scope(thread: number, frame: number): Promise<Data | undefined> {
    const found = await this.#read({ thread, frame }, {}).catch((error: unknown) => unknown(error));
    if (!found || found.length === 0) return undefined;
    const variablesReference = this.#reference({ thread, frame });
    return { name: 'Locals', presentationHint: 'locals', expensive: false, variablesReference };
  }

  async list({ variablesReference, start, count }: Data): Promise<Data> {
    const opened = this.#find(variablesReference);
    const first = typeof start === 'number' && start > 0 ? Math.trunc(start) : 0;
    const most = typeof count === 'number' && count > 0 ? Math.min(Math.trunc(count), mostAtOnce) : mostAtOnce;
    const found = await this.#read(opened, { first, most });
    return { variables: found.map((each) => ({ name: each.name, ...this.shown(each, opened) })) };
  }

  async set({ variablesReference, name, value }: Data): Promise<Data> {
    const opened = this.#find(variablesReference);
    const { expression } = await this.#named(opened, String(name));
    return this.assign(opened.thread, opened.frame, expression ?? String(name), String(value));
  }

  async assign(thread: number, frame: number, expression: string, value: string): Promise<Data> {
    const { variable } = await this.#machineOf(thread).call('variable_write', { frame, expression, value });
    const { result, ...rest } = renamed(this.shown(variable as SeenVariable, { thread, frame }));
    return { ...rest, value: result };
  }

  /** The value of an expression, in the words of `evaluate`; undefined where nothing goes by it. */
  async evaluate(thread: number, frame: number, expression: string): Promise<Data> {
    const { variable } = await this.#machineOf(thread).call('variable_read', { frame, expression });
    return renamed(this.shown(variable as SeenVariable, { thread, frame }));
  }

  /** Whether a variable of the frame has this name, in exactly these letters. */
  async hasLocal(thread: number, frame: number, name: string): Promise<boolean> {
    const found = await this.#read({ thread, frame }, {}).catch((error: unknown) => unknown(error));
    return found?.some((each) => each.name === name) ?? false;
  }

  /** Where one of them lies in memory. */
  async place({ variablesReference, name }: Data): Promise<{ readonly address?: bigint; readonly bytes: number }> {
    const { address, bytes } = await this.#named(this.#find(variablesReference), String(name));
    return { ...(address !== undefined && { address: wide(address) }), bytes };
  }

  machine(reference: unknown): DebuggedMachine {
    return this.#machineOf(this.#find(reference).thread);
  }

  shown({ text, type, address, expression, parts, isIndexed }: SeenVariable, { thread, frame }: Opened): Data {
    const isOpen = parts > 0 && expression !== undefined;
    return {
      ...{ value: text, type },
      ...(expression !== undefined && { evaluateName: expression }),
      ...(address !== undefined && { memoryReference: hex0x(wide(address)) }),
      variablesReference: isOpen ? this.#reference({ thread, frame, of: expression }) : 0,
      ...(isOpen && (isIndexed ? { indexedVariables: parts } : { namedVariables: parts })),
    };
  }

  async #named(opened: Opened, name: string): Promise<SeenVariable> {
    const [, index] = /^\[(\d{1,15})\]$/.exec(name) ?? [];
    if (index !== undefined) {
      const [found] = await this.#read(opened, { first: Number(index), most: 1 });
      if (found?.name === name) return found;
    } else {
      for (let first = 0; ; first += mostAtOnce) {
        const all = await this.#read(opened, { first, most: mostAtOnce });
        const found = all.find((each) => each.name === name);
        if (found) return found;
        if (opened.of === undefined || all.length < mostAtOnce) break;
      }
    }
    throw new MachineError('NOT_FOUND', `No variable ${name.slice(0, 40)}.`, 'Ask for the variables again.');
  }

  async #read({ thread, frame, of }: Opened, range: Data): Promise<readonly SeenVariable[]> {
    const answer = await this.#machineOf(thread).call('variables_read', {
      frame,
      ...(of !== undefined && { of, ...range }),
    });
    return answer.variables as SeenVariable[];
  }

  #reference(opened: Opened): number {
    const key = `${opened.thread} ${opened.frame} ${opened.of ?? ''}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const reference = this.#next++;
    this.#opened.set(reference, opened);
    this.#known.set(key, reference);
    const [oldest] = this.#known;
    if (oldest && this.#known.size > mostReferences) {
      this.#known.delete(oldest[0]);
      this.#opened.delete(oldest[1]);
    }
    return reference;
  }

  #find(reference: unknown): Opened {
    const opened = typeof reference === 'number' ? this.#opened.get(reference) : undefined;
    if (opened) return opened;
    throw new MachineError('NOT_FOUND', 'These variables are not known any more.', 'Ask for the scopes again.');
  }
}

/** Kinds without variables have none, and neither have frames without debug information. */
function unknown(error: unknown): undefined {
  if (!(error instanceof MachineError)) throw error;
}

function renamed({ value, evaluateName: _, ...rest }: Data): Data {
  return { ...rest, result: value };
}
