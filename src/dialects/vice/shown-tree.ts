import { z } from 'zod';
import { hexWord } from '../../formats/hex.ts';
import { breakpointType } from './breakpoint-types.ts';

/** A composite breakpoint, as our tools give it. */
interface Tree {
  readonly operator?: 'and' | 'or' | undefined;
  readonly of?: readonly Tree[] | undefined;
  readonly type?: string | undefined;
  readonly address?: number | undefined;
  readonly length?: number | undefined;
  readonly condition?: string | null | undefined;
  readonly mask?: number | null | undefined;
}

export const tree: z.ZodType<Tree> = z.object({
  operator: z.enum(['and', 'or']).optional(),
  of: z.array(z.lazy(() => tree)).optional(),
  type: z.string().optional(),
  address: z.number().optional(),
  length: z.number().optional(),
  condition: z.string().nullish(),
  mask: z.number().nullish(),
});

type Shown = Readonly<Record<string, unknown>>;

/** The same as vice.breakpoints.composite would take it. */
export function shownTree({ operator = 'and', of = [] }: Tree, videoBase: number): Shown {
  return { operator: operator.toUpperCase(), conditions: of.map((each) => part(each, videoBase)) };
}

function part(each: Tree, videoBase: number): Shown {
  if (each.of) return { type: 'group', ...shownTree(each, videoBase) };
  const { type, address = 0, length = 1, mask, condition } = each;
  if (type === undefined) return { type: 'expression', condition };
  return {
    type: breakpointType(type),
    ...placeOf({ type, address, length, mask }, videoBase),
    ...(condition && { condition }),
  };
}

interface Trigger {
  readonly type: string;
  readonly address: number;
  readonly length: number;
  readonly mask?: number | null | undefined;
}

/** Where something of this type happens. */
export function placeOf({ type, address, length, mask }: Trigger, videoBase: number): Shown {
  switch (type) {
    case 'raster':
      return length === 1 ? { line: address } : { line_start: address, line_end: address + length - 1 };
    case 'sprite_sprite':
    case 'sprite_background':
      return { collision_type: type, sprite_mask: mask ?? 255 };
    case 'chip_write':
      return { register: hexWord(videoBase + address) };
    case 'exec':
      return { address: hexWord(address), ...(length > 1 && { size: length }) };
    case 'irq':
    case 'nmi':
    case 'brk':
    case 'composite':
      return {};
    default:
      return { address: hexWord(address), size: length };
  }
}
