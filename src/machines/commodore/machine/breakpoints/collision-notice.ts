import type { Breakpoint, BreakpointTree } from '../../../../machine/breakpoints.ts';
import type { CollisionType, CommodoreBoard } from '../../board/commodore-board.ts';
import { collisionTypes } from './parts.ts';

type Waiting = Pick<Breakpoint, 'type' | 'mask' | 'tree'>;
type Noting = Pick<CommodoreBoard, 'collided'>;
interface Awaited {
  readonly type: CollisionType;
  readonly mask: number;
}

const registers: Readonly<Record<CollisionType, string>> = { sprite_sprite: '$D01E', sprite_background: '$D01F' };

/** A collision is noted once; until a program reads its register, the same sprites are not noted again. */
export function withCollisionNotice(breakpoint: Breakpoint, board: Noting): Breakpoint {
  const notice = collisionNotice(breakpoint, board);
  return notice === undefined ? breakpoint : { ...breakpoint, notice };
}

function collisionNotice(breakpoint: Waiting, board: Noting): string | undefined {
  const noted = awaited(breakpoint).flatMap(({ type, mask }) => {
    const sprites = (board.collided?.(type) ?? 0) & mask;
    return sprites === 0 ? [] : [`${spritesIn(sprites)} until ${registers[type]} is read`];
  });
  if (noted.length === 0) return undefined;
  return `collisions that are noted already do not stop again: those of ${[...new Set(noted)].join(', and of ')}`;
}

function awaited({ type, mask = 0xff, tree }: Waiting): readonly Awaited[] {
  if (tree) return awaitedIn(tree);
  const collision = collisionTypes.find((each) => each === type);
  return collision ? [{ type: collision, mask }] : [];
}

function awaitedIn(tree: BreakpointTree): readonly Awaited[] {
  if (tree.operator !== undefined) return tree.of.flatMap(awaitedIn);
  return tree.type === undefined ? [] : awaited({ type: tree.type, mask: tree.mask });
}

function spritesIn(mask: number): string {
  const numbers = [0, 1, 2, 3, 4, 5, 6, 7].filter((sprite) => (mask >> sprite) & 1);
  return `${numbers.length === 1 ? 'sprite' : 'sprites'} ${numbers.join(', ')}`;
}
