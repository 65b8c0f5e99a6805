import type { Dialect } from './dialect.ts';
import { qemu } from './qemu.ts';
import { serencp } from './serencp.ts';

/** Every dialect there is. */
export const dialects: readonly Dialect[] = [serencp, qemu];
