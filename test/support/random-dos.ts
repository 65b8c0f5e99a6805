import { createHash } from 'node:crypto';
import { scanCodes } from '../../src/chips/i8042/scan-codes.ts';
import { DosSystem } from '../../src/machines/dos/board/dos-system.ts';
import { applyInput } from '../../src/machines/dos/machine/input-event.ts';
import { generator } from './random-c64.ts';

const instructionsPerSecond = 200_000;
/** 1/70 of a second, as tools count frames. */
const frameInstructions = Math.round(instructionsPerSecond / 70);
const keys = ['d', 'i', 'r', 'enter', 'v', 'e', 'space', 'c', 'l', 's', 'escape', 'backspace'];

/** A DOS PC at its prompt with random keys and movements of the mouse, the same for the same seed and frame. */
export class RandomDos {
  readonly system: DosSystem;
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
    this.system = new DosSystem(
      {
        model: '80386',
        instructionsPerSecond,
        extendedKilobytes: 64,
        date: { year: 1994, month: 1, day: 1, hour: 12, minute: 0, second: 0 },
        sink: { active: false, add() {} },
        drives: new Map(),
        disks: new Map(),
        commands: [],
        interactive: true,
        environment: ['PATH=Z:\\', 'PROMPT=$T$G'],
      },
      { serial() {}, print() {}, called: () => undefined },
    );
  }

  runFrame(frame: number): void {
    const random = generator(this.#seed * 1_000_003 + frame);
    if (random(4) === 0) {
      const code = scanCodes[keys[random(keys.length)] ?? ''] ?? 0;
      applyInput(this.system, { type: 'key', code, down: random(2) === 0 });
    }
    if (random(16) === 0)
      applyInput(this.system, { type: 'mouse', dx: random(9) - 4, dy: random(9) - 4, buttons: random(4) });
    this.system.board.run(this.system.board.instructions + frameInstructions);
  }

  save(): unknown {
    return { state: this.system.board.snapshot(), services: this.system.save() };
  }

  restore(saved: unknown): void {
    const { state, services } = saved as {
      readonly state: Uint8Array;
      readonly services: ReturnType<DosSystem['save']>;
    };
    this.system.board.restore(state);
    this.system.restore(services);
  }

  hash(): string {
    return createHash('sha256').update(this.system.board.bytes).digest('hex').slice(0, 16);
  }
}
