import type { CollisionType } from '../../board/commodore-board.ts';
import type { Armed, Part } from './armed-breakpoint.ts';
import { triggersIn } from './trigger.ts';

const writeTypes: readonly string[] = ['write', 'change', 'chip_write'];
const interruptTypes: readonly string[] = ['irq', 'nmi', 'brk'];
export const collisionTypes: readonly CollisionType[] = ['sprite_sprite', 'sprite_background'];

/** What breakpoints wait for, by what has to be watched for it. */
export interface Parts {
  readonly code: readonly Part[];
  readonly reads: readonly Part[];
  readonly writes: readonly Part[];
  readonly interrupts: readonly Part[];
  readonly collisions: readonly Part[];
  readonly rasters: readonly Part[];
}

export function partsOf(enabled: readonly Armed[]): Parts {
  const parts = enabled.flatMap((armed) => triggersIn(armed.root).map((trigger): Part => ({ armed, trigger })));
  const of = (types: readonly string[]) => parts.filter(({ trigger }) => types.includes(trigger.type));
  return {
    code: of(['exec']),
    reads: of(['read']),
    writes: of(writeTypes),
    interrupts: of(interruptTypes),
    collisions: of(collisionTypes),
    rasters: of(['raster']),
  };
}
