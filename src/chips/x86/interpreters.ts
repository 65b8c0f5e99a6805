import type { CommonShapes } from './common-shapes.ts';
import type { Core } from './core.ts';
import { type Care, type Interpreter, makeInterpreter } from './interpreter.ts';
import type { X86Engine } from './x86-engine.ts';

/** The loops that run instructions, each written when it is first wanted. */
export class Interpreters {
  readonly #core: Core;
  readonly #engine: X86Engine;
  readonly #shapes: CommonShapes;
  /** By mode: see `CodeSpace`. */
  readonly #made: Record<Care, Interpreter[]> = { fast: [], attentive: [], asking: [] };

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

  with(care: Care, mode: number): Interpreter {
    return this.#made[care][mode] ?? this.#make(care, mode);
  }

  #make(care: Care, mode: number): Interpreter {
    const written = makeInterpreter(this.#core, this.#engine, this.#shapes.casesOf(mode), care);
    this.#made[care][mode] = written;
    return written;
  }
}
