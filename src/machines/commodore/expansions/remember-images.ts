import type { CommodoreBoard } from '../board/commodore-board.ts';

/** Up to here a file may be as long as a memory, and which of them it is nobody has written down. */
const mostOfBoth = 256 * 1024;

/** Contents that a snapshot made elsewhere speaks of: of memories, disks and tapes. */
export function rememberImages(
  { expansionRam, drives }: Pick<CommodoreBoard, 'expansionRam' | 'drives'>,
  images: readonly Uint8Array[],
): void {
  for (const image of images) {
    const isRam = expansionRam?.remember(image) === true;
    if (!isRam || image.length <= mostOfBoth) drives.remember(image);
  }
}
