import type { FuzzTarget } from '../fuzz-target.ts';
import { commodoreTargets } from './commodore.ts';
import { dosTargets } from './dos.ts';
import { qemuTargets } from './qemu.ts';
import { snapshotTargets } from './snapshots.ts';
import { textTargets } from './texts.ts';
import { wireTargets } from './wires.ts';

export const targets: readonly FuzzTarget[] = [
  ...commodoreTargets,
  ...dosTargets,
  ...qemuTargets,
  ...snapshotTargets,
  ...wireTargets,
  ...textTargets,
];
