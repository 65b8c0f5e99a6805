import type { Core } from './core.ts';
import type { CodeGraph } from './graph/code-graph.ts';
import { attention } from './operations/operation.ts';

/** What it costs to take a change of code into the graph, in rounds of a string instruction. */
const changeRounds = 300;

/** Code that was written over or mapped elsewhere since the graph was last looked at. */
export class CodeChanges {
  readonly #core: Core;
  readonly #written: number[] = [];
  /** All pages may lie elsewhere. */
  #remap = false;
  /** Address line 20 was switched. */
  #switched = false;
  /** Pages that do. */
  readonly #moved = new Set<number>();

  constructor(core: Core) {
    this.#core = core;
    const { memory, paging } = core;
    memory.onCodeChange = (address) => {
      this.#written.push(address);
      this.#call();
    };
    const remap = () => {
      this.#remap = true;
      this.#call();
    };
    memory.onA20Change = () => {
      this.#switched = true;
      this.#call();
    };
    core.onRemap = remap;
    paging.onUnmap = (page) => {
      this.#moved.add(page);
      this.#call();
    };
  }

  get isPending(): boolean {
    return this.#written.length > 0 || this.#remap || this.#switched || this.#moved.size > 0;
  }

  /** A new graph begins: it has nothing that could have changed. */
  forget(): void {
    this.#written.length = 0;
    this.#moved.clear();
  }

  settle(graph: CodeGraph): void {
    if (this.isPending) this.#take(graph);
    const { attention: pending } = this.#core;
    pending[0] = pending[0] & ~attention.codeChanged;
  }

  #take(graph: CodeGraph): void {
    if (this.#written.length > 0) this.#core.tire(this.#written.length * changeRounds);
    for (const address of this.#written.splice(0)) graph.changed(address);
    if (this.#switched) graph.switched();
    else if (this.#remap) graph.remap();
    else if (this.#moved.size > 0) graph.remap(this.#moved);
    this.#moved.clear();
    this.#remap = false;
    this.#switched = false;
  }

  #call(): void {
    const { attention: pending } = this.#core;
    pending[0] = pending[0] | attention.codeChanged;
  }
}
