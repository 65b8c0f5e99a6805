import type { BoardWatch } from '../../board/board-watch.ts';
import type { CommodoreModel } from '../commodore-model.ts';
import type { CommodoreVocabulary } from '../commodore-vocabulary.ts';
import type { InterruptEntries } from './interrupt-entries.ts';

/** What a table needs to know beside the board. */
export interface BreakpointWires {
  readonly watch: BoardWatch;
  readonly vocabulary: CommodoreVocabulary;
  readonly model: Pick<CommodoreModel, 'io' | 'chips' | 'systemCode'>;
  readonly interrupts: InterruptEntries;
  /** The bank that the cartridge has switched in. */
  cartridgeBank(): number | undefined;
  /** The name of exactly this address. */
  nameOf(address: number): string | undefined;
  /** What says that there is data at this address and no code; undefined where nothing is certain. */
  dataAt(address: number): string | undefined;
  /** Saves a snapshot of a machine that is between two instructions; answers its name, or why there is none. */
  save(breakpoint: number, hit: number): string;
  log(text: string, data: Record<string, unknown>): void;
}
