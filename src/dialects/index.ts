import type { Dialect } from './dialect.ts';
import { qemu } from './qemu.ts';
import { serencp } from './serencp.ts';
import { spice86 } from './spice86.ts';
import { vice } from './vice.ts';

/** Every dialect there is. */
export const dialects: readonly Dialect[] = [serencp, qemu, spice86, vice];
