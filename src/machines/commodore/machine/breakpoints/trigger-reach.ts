import { fields, isInterruptNext } from '../../../../chips/mos6510/registers.ts';
import type { Span } from '../../board/board-watch.ts';
import type { CommodoreBoard } from '../../board/commodore-board.ts';
import { spaceRead, spaceWritten } from '../bus-event.ts';
import type { CommodoreModel } from '../commodore-model.ts';
import type { Trigger } from './trigger.ts';

interface ReachWires {
  readonly model: Pick<CommodoreModel, 'io'>;
  cartridgeBank(): number | undefined;
}

/** Which accesses are those that a trigger waits for, as memory is banked now. */
export class TriggerReach {
  readonly #board: CommodoreBoard;
  readonly #wires: ReachWires;

  constructor(board: CommodoreBoard, wires: ReachWires) {
    this.#board = board;
    this.#wires = wires;
  }

  isWatched({ type, first, last, chip }: Trigger, address: number): boolean {
    if (type !== 'chip_write') return address >= first && address <= last;
    return this.#board
      .chipsReached('write', address)
      .some((reached) => reached.chip === chip && reached.register >= first && reached.register <= last);
  }

  isBank({ bank }: Trigger, kind: 'read' | 'write', address: number): boolean {
    if (bank === undefined) return true;
    const space = (kind === 'read' ? spaceRead : spaceWritten)(this.#board, this.#wires.model.io, address);
    return space === bank.space && (bank.number === undefined || bank.number === this.#wires.cartridgeBank());
  }

  /** Whether the instruction is there that comes next, or within one that is under way. */
  isExecuted(trigger: Trigger, isAtBorder: boolean): boolean {
    const { state } = this.#board.cpu;
    if (isInterruptNext(state)) return false;
    const isBetween = isAtBorder || (state[fields.step] & 7) === 0;
    const pc = isBetween ? state[fields.pc] : state[fields.instructionPc];
    return pc >= trigger.first && pc <= trigger.last && this.isBank(trigger, 'read', pc);
  }

  spansWritten(trigger: Trigger): readonly Span[] {
    if (trigger.type === 'read') return [];
    // A chip answers at many addresses.
    return [trigger.type === 'chip_write' ? this.#wires.model.io : trigger];
  }
}
