import type { Host } from '../../../../machine/host.ts';
import { CommodoreMachine } from '../../machine/commodore-machine.ts';
import type { C64Board } from '../c64-board.ts';
import { C64Mouse } from './c64-mouse.ts';
import { c64Setup } from './c64-setup.ts';

/** A built-in Commodore 64, the only one here that a 1351 mouse fits. */
export class C64Machine extends CommodoreMachine {
  readonly mouse: C64Mouse;

  constructor(
    board: C64Board,
    host: Host,
    introduction: readonly string[],
    romNames: Readonly<Record<string, number>> = {},
    origin: Readonly<Record<string, unknown>> = {},
  ) {
    super(c64Setup(board), host, introduction, romNames, origin);
    this.mouse = new C64Mouse(this.control);
  }
}
