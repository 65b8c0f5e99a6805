import type { VolumeLayout } from './fat/volume-layout.ts';
import type { PagedBytes } from './paged-bytes.ts';
import type { SavedNodes } from './tree-node.ts';

/** A folder or zip file, and what was written over it. */
export interface SavedTree {
  readonly type: 'tree';
  readonly tree: SavedNodes;
  readonly label: string;
}

/** The sectors of an image. */
export interface SavedImage {
  readonly type: 'image';
  readonly content: PagedBytes;
  readonly length: number;
  readonly readOnly: boolean;
}

/** Which driver of the guest serves a drive. */
export interface GuestUnit {
  readonly drive: number;
  /** Packed address of its header. */
  readonly driver: number;
  readonly unit: number;
}

/** A disk whose driver the guest has brought. */
export interface SavedGuestDisk {
  readonly type: 'driver';
  readonly unit: GuestUnit;
  readonly layout: VolumeLayout;
  readonly rebuild: boolean;
  readonly sectors: ReadonlyMap<number, Uint8Array>;
  readonly failure: number;
}

/** A CD cannot be written, and what its drive does is in the machine's own state. */
export interface SavedCd {
  readonly type: 'cdrom';
}

/** What a snapshot keeps of a drive. */
export type SavedDrive = SavedTree | SavedImage | SavedGuestDisk | SavedCd;

/** What was saved of this sort of drive; whoever restores gives no other. */
export function savedAs<Type extends SavedDrive['type']>(
  type: Type,
  saved: SavedDrive,
): Extract<SavedDrive, { readonly type: Type }> {
  if (isOf(type, saved)) return saved;
  throw new Error(`a drive of type ${type} cannot be restored from one of type ${saved.type}`);
}

function isOf<Type extends SavedDrive['type']>(
  type: Type,
  saved: SavedDrive,
): saved is Extract<SavedDrive, { readonly type: Type }> {
  return saved.type === type;
}
