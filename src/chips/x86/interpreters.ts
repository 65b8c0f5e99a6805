import type { Core } from './core.ts';
import { type Care, type CommonShapes, type Interpreter, makeInterpreter } from './interpreter.ts';
import type { X86Engine } from './x86-engine.ts';

/** The loops that run instructions, each written when it is first wanted. */
export class Interpreters {
  readonly #core: Core;
  readonly #engine: X86Engine;
  readonly #shapes: CommonShapes;
  readonly #made: Partial<Record<Care, Interpreter>> = {};

  constructor(core: Core, engine: X86Engine, shapes: CommonShapes) {
    this.#core = core;
    this.#engine = engine;
    this.#shapes = shapes;
  }

  /** As much care as what is watched now needs. Compiled code has that of `fast`: it does not look after what only reads. */
  get care(): Care {
    if (this.#engine.question !== null) return 'asking';
    return this.#core.memory.isReadWatched || this.#core.debug.hasReads ? 'attentive' : 'fast';
  }

  with(care: Care): Interpreter {
    const made = this.#made[care];
    if (made) return made;
    const written = makeInterpreter(this.#core, this.#engine, this.#shapes, care);
    this.#made[care] = written;
    return written;
  }
}
