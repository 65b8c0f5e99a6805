import type { Machine } from '../machine/machine.ts';
import type { Rack } from '../rack/rack.ts';
import type { Tool } from './tool.ts';
import { type ToolsetChoice, toolsets } from './toolsets.ts';

/** Machines, here or elsewhere: of those, what capabilities they have. */
export interface Seen extends Pick<Rack, 'onChange'> {
  readonly machines: readonly { readonly handle: string; readonly machine: Machine }[];
}

/** Which tools clients see. The list is the same for all of them, and only grows: a client may have built on it. */
export class Shelf {
  readonly #listed = new Set<string>();
  readonly #waiting: Set<Tool>;
  readonly #listeners = new Set<() => void>();
  readonly #rack: Seen;
  #isUnasked = false;
  /** Something runs whose tools are not there yet. */
  #isBehind = false;

  constructor(tools: readonly Tool[], choice: readonly ToolsetChoice[], rack: Seen) {
    this.#rack = rack;
    const isShort = isOpen(choice) && !choice.includes('all');
    const isListed = (tool: Tool) => !isShort || isAlwaysListed(tool);
    for (const tool of tools.filter(isListed)) this.#listed.add(tool.name);
    this.#waiting = new Set(choice.includes('auto') ? tools.filter((tool) => !isListed(tool)) : []);
    if (this.#waiting.size > 0) rack.onChange(() => this.#look());
  }

  has(name: string): boolean {
    return this.#listed.has(name);
  }

  onMore(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** What the server starts of its own accord brings its tools when an agent first works with a machine: the first list is a short one. */
  async unasked(start: () => Promise<void>): Promise<void> {
    this.#isUnasked = true;
    try {
      await start();
    } finally {
      this.#isUnasked = false;
    }
  }

  /** An agent works with a machine. */
  used(): void {
    if (this.#isBehind) this.#look();
  }

  #look(): void {
    this.#isBehind = this.#isUnasked;
    if (this.#isUnasked) return;
    const { machines } = this.#rack;
    const usable = [...this.#waiting].filter((tool) => machines.some(({ machine }) => worksOn(tool, machine)));
    if (usable.length === 0) return;
    for (const tool of usable) {
      this.#waiting.delete(tool);
      this.#listed.add(tool.name);
    }
    for (const listener of this.#listeners) listener();
  }
}

/** Every tool can be called: the choice is only about the list. */
export function isOpen(choice: readonly ToolsetChoice[]): boolean {
  return choice.some((each) => each === 'auto' || each === 'short' || each === 'all');
}

export function isAlwaysListed({ toolset }: Tool): boolean {
  return toolset !== 'inner' && toolsets[toolset].listed;
}

/** The machine has what the tool needs; one that needs no machine in particular works with any. */
export function worksOn(tool: Tool, machine: Machine): boolean {
  return tool.scope === 'rack' || tool.needs.every((capability) => machine[capability] !== undefined);
}
