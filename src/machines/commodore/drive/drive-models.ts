import { geometryOf } from '../../../formats/commodore/media/disk-geometry.ts';
import { isG64 } from '../../../formats/commodore/media/g64.ts';
import { Drive1541 } from './drive-1541.ts';
import { Drive1571 } from './drive-1571.ts';
import { Drive1581 } from './drive-1581.ts';
import type { DriveModel } from './real-drive.ts';

export const driveMakers = { 1541: Drive1541, 1571: Drive1571, 1581: Drive1581 } as const;

/** The models that read such a disk, the usual one first. */
export function modelsFor(image: Uint8Array): readonly DriveModel[] {
  if (isG64(image)) return ['1541', '1571'];
  const kind = geometryOf(image.length)?.geometry.kind;
  if (kind === 'd64') return ['1541', '1571'];
  if (kind === 'd71') return ['1571'];
  return kind === 'd81' ? ['1581'] : [];
}
