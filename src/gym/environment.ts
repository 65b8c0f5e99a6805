import type { Episodes } from '../machine/episodes.ts';
import { MachineError } from '../machine/errors.ts';
import type { Machine } from '../machine/machine.ts';
import { PictureScale } from './picture-scale.ts';
import { RandomNumbers } from './random.ts';
import {
  type Hold,
  type MemoryRange,
  type ObservationPart,
  observationParts,
  rewardsOf,
  type VectorSpec,
} from './vector-spec.ts';

/** What a step led to. */
export interface StepResult {
  /** One for each player. */
  readonly rewards: readonly number[];
  readonly terminated: boolean;
  readonly truncated: boolean;
}

/** What an environment is beside its machine; saved with it. */
export interface EpisodeFacts {
  readonly random: number;
  readonly steps: number;
  readonly last: readonly number[];
  readonly actions: readonly number[];
}

/** One machine with a task: actions in, observations, rewards and ends out. */
export class Environment {
  readonly machine: Machine;
  readonly #spec: VectorSpec;
  readonly #episodes: Episodes;
  readonly #scale: PictureScale | undefined;
  readonly #parts: readonly ObservationPart[];
  readonly #random: RandomNumbers;
  #rewards: readonly (() => number | Promise<number>)[] = [];
  #end: () => number | Promise<number> = () => 0;
  #start: () => void | Promise<void> = () => {};
  #last: number[] = [];
  #steps = 0;
  #actions: number[];
  #before: Uint8Array | undefined;

  /** `index` counts the environments of the whole vector. */
  private constructor(machine: Machine, episodes: Episodes, spec: VectorSpec, index: number) {
    this.machine = machine;
    this.#spec = spec;
    this.#episodes = episodes;
    this.#scale = spec.observe.pixels && new PictureScale(spec.observe.pixels);
    this.#parts = observationParts(spec);
    this.#random = new RandomNumbers(spec.seed, index);
    this.#actions = spec.action.map(() => 0);
  }

  /** From where the machine is now on. */
  static async open(machine: Machine, episodes: Episodes, spec: VectorSpec, index: number): Promise<Environment> {
    const environment = new Environment(machine, episodes, spec, index);
    await environment.#open();
    return environment;
  }

  async #open(): Promise<void> {
    requireInputs(this.machine, this.#spec);
    this.#episodes.begin();
    // A picture is made by time that passes: a copy of a machine has none yet, and the first observation needs one.
    if (this.#spec.observe.pixels) await this.#episodes.advance(1, true);
    this.#rewards = rewardsOf(this.#spec).map((expression) => this.#episodes.reading(expression));
    this.#end = this.#episodes.reading(this.#spec.end);
    this.#start = await this.#episodes.mark();
  }

  /** `random`: a state of chance to go on from. */
  async reset(random?: number): Promise<void> {
    if (random !== undefined) this.#random.state = random;
    await this.#letGo();
    await this.#start();
    if (this.#usesKeys && this.machine.keyboard?.resume) {
      this.machine.keyboard.resume();
      await this.machine.keyboard.hold([]);
    }
    const idle = this.#spec.idle === 0 ? 0 : this.#random.below(this.#spec.idle + 1);
    if (idle > 0) await this.#episodes.advance(idle, this.#spec.observe.pixels !== undefined);
    this.#steps = 0;
    this.#actions = this.#actions.map(() => 0);
    this.#before = undefined;
    this.#last = await this.#values();
  }

  /** One number for each player: which of its choices is held during the step. */
  async step(actions: ArrayLike<number>): Promise<StepResult> {
    this.#choose(actions);
    await this.#hold();
    await this.#pass();
    this.#steps += 1;
    const values = await this.#values();
    const rewards = values.map((value, player) => value - (this.#last[player] ?? 0));
    this.#last = values;
    const terminated = (await this.#end()) !== 0;
    const truncated = !terminated && this.#spec.limit > 0 && this.#steps >= this.#spec.limit;
    return { rewards, terminated, truncated };
  }

  async observe(into: Uint8Array): Promise<void> {
    for (const { name, offset, bytes } of this.#parts) {
      const part = into.subarray(offset, offset + bytes);
      if (name === 'pixels') await this.#draw(part);
      else if (name === 'memory') await this.#read(part);
      else await this.#text(part);
    }
  }

  get facts(): EpisodeFacts {
    return { random: this.#random.state, steps: this.#steps, last: this.#last, actions: this.#actions };
  }

  /** The machine has become another one; so does the rest. */
  set facts({ random, steps, last, actions }: EpisodeFacts) {
    this.#random.state = random;
    this.#steps = steps;
    this.#last = [...last];
    this.#actions = [...actions];
    this.#before = undefined;
    if (this.#usesKeys) this.machine.keyboard?.resume?.();
  }

  #choose(actions: ArrayLike<number>): void {
    this.#actions = this.#actions.map((before, player) => {
      const isStuck = this.#spec.sticky > 0 && this.#random.next() < this.#spec.sticky;
      return isStuck ? before : (actions[player] ?? 0);
    });
  }

  async #hold(): Promise<void> {
    for (const { joystick, port } of this.#held) if (joystick) await this.machine.joystick?.set(port, joystick);
    if (this.#usesKeys) await this.machine.keyboard?.hold(this.#keys, true);
  }

  /** What the players have chosen. */
  get #held(): readonly Hold[] {
    return this.#spec.action.map((choices, player) => {
      const choice = choices[this.#actions[player] ?? 0];
      if (choice) return choice;
      const message = `Player ${player} has ${choices.length} actions; ${this.#actions[player]} is not one of them.`;
      throw new MachineError('INVALID_ARGUMENT', message, `Use 0 to ${choices.length - 1}.`);
    });
  }

  get #keys(): readonly string[] {
    return this.#held.flatMap(({ keys }) => keys ?? []);
  }

  async #letGo(): Promise<void> {
    for (const port of this.#ports) await this.machine.joystick?.set(port, []);
    if (this.#usesKeys) await this.machine.keyboard?.hold([]);
  }

  /** Of a picture that is the brighter of two, the first is drawn on the way. */
  async #pass(): Promise<void> {
    const { frames, observe } = this.#spec;
    if (!observe.pixels?.max || frames < 2) {
      await this.#episodes.advance(frames, observe.pixels !== undefined);
      return;
    }
    await this.#episodes.advance(frames - 1);
    const { width, height, grey } = observe.pixels;
    this.#before ??= new Uint8Array(width * height * (grey ? 1 : 3));
    await this.#drawFrame(this.#before);
    await this.#episodes.advance(1);
  }

  async #values(): Promise<number[]> {
    const values: number[] = [];
    for (const reading of this.#rewards) values.push(await reading());
    return values;
  }

  async #draw(into: Uint8Array): Promise<void> {
    await this.#drawFrame(into);
    const before = this.#before;
    if (!before) return;
    for (let index = 0; index < into.length; index += 1) into[index] = Math.max(into[index] ?? 0, before[index] ?? 0);
  }

  async #drawFrame(into: Uint8Array): Promise<void> {
    const { screen } = this.machine;
    const picture = await screen?.picture();
    if (picture) this.#scale?.draw(picture, screen?.window?.(), into);
  }

  async #read(into: Uint8Array): Promise<void> {
    const { memory } = this.machine;
    let at = 0;
    for (const { space, address, length } of this.#spec.observe.memory ?? []) {
      const bytes = await memory?.peek(space ?? memory.spaces[0]?.name ?? '', BigInt(address), length);
      if (bytes) into.set(bytes, at);
      at += length;
    }
  }

  async #text(into: Uint8Array): Promise<void> {
    const { columns = 0, rows = 0 } = this.#spec.observe.text ?? {};
    const lines = (await this.machine.screen?.text())?.lines ?? [];
    const view = new DataView(into.buffer, into.byteOffset, into.byteLength);
    for (let row = 0; row < rows; row += 1) {
      const characters = [...(lines[row] ?? '')];
      for (let column = 0; column < columns; column += 1) {
        view.setUint32((row * columns + column) * 4, characters[column]?.codePointAt(0) ?? 32, true);
      }
    }
  }

  get #ports(): readonly number[] {
    const ports = this.#spec.action.flat().flatMap(({ joystick, port }) => (joystick ? [port] : []));
    return [...new Set(ports)];
  }

  get #usesKeys(): boolean {
    return this.#spec.action.flat().some(({ keys }) => keys !== undefined);
  }
}

function requireInputs(machine: Machine, { action: players, observe }: VectorSpec): void {
  const choices = players.flat();
  const wanted = [
    ...(choices.some(({ joystick }) => joystick) ? (['joystick'] as const) : []),
    ...(choices.some(({ keys }) => keys) ? (['keyboard'] as const) : []),
    ...(observe.pixels || observe.text ? (['screen'] as const) : []),
    ...(observe.memory ? (['memory'] as const) : []),
  ];
  const missing = wanted.filter((capability) => machine[capability] === undefined);
  if (missing.length > 0) {
    const message = `A ${machine.kind} machine has no ${missing.join(' and no ')}.`;
    throw new MachineError('MISSING_CAPABILITY', message, 'Choose other actions or observations, or another kind.');
  }
  for (const range of observe.memory ?? []) requireRange(machine, range);
  const unknown = choices.flatMap(({ keys = [] }) => keys).find((key) => !machine.keyboard?.keyNames.includes(key));
  if (unknown === undefined) return;
  const names = machine.keyboard?.keyNames.join(' ') ?? '';
  throw new MachineError('INVALID_ARGUMENT', `No key ${JSON.stringify(unknown)}.`, `Keys: ${names}.`);
}

/** Bytes that are not there would be zeros for ever. */
function requireRange({ memory }: Machine, { space, address, length }: MemoryRange): void {
  const { spaces = [] } = memory ?? {};
  const found = space === undefined ? spaces[0] : spaces.find(({ name }) => name === space);
  const names = spaces.map(({ name, size }) => `${name} (0x${size.toString(16)} bytes)`).join(', ');
  if (found && BigInt(address) + BigInt(length) <= found.size) return;
  const message = found
    ? `The memory ${found.name} ends before ${address} + ${length}.`
    : `There is no memory ${JSON.stringify(space)}.`;
  throw new MachineError('INVALID_ARGUMENT', message, `Spaces: ${names}.`);
}
