export type DiskKind = 'd64' | 'd71' | 'd81';

/** How a disk format lays out its sectors and where its tables lie. */
export interface DiskGeometry {
  readonly kind: DiskKind;
  readonly tracks: number;
  /** Tracks that the block map covers; files are only put there. */
  readonly mappedTracks: number;
  readonly directoryTrack: number;
  readonly directorySector: number;
  /** Sectors between one block of a file and the next, and the same for the directory. */
  readonly interleave: number;
  readonly directoryInterleave: number;
  /** Offsets in the header sector of the disk's name and id. */
  readonly nameOffset: number;
  readonly idOffset: number;
  readonly dosVersion: number;
  readonly dosType: string;
  sectorsIn(track: number): number;
}

/** Of a track of a 1541. */
export function sectors1541(track: number): number {
  if (track <= 17) return 21;
  if (track <= 24) return 19;
  return track <= 30 ? 18 : 17;
}

const d64 = (tracks: number): DiskGeometry => ({
  kind: 'd64',
  tracks,
  mappedTracks: 35,
  directoryTrack: 18,
  directorySector: 1,
  interleave: 10,
  directoryInterleave: 3,
  nameOffset: 0x90,
  idOffset: 0xa2,
  dosVersion: 0x41,
  dosType: '2A',
  sectorsIn: sectors1541,
});

const d71: DiskGeometry = {
  ...d64(70),
  kind: 'd71',
  mappedTracks: 70,
  interleave: 6,
  sectorsIn: (track) => sectors1541(track > 35 ? track - 35 : track),
};

const d81: DiskGeometry = {
  kind: 'd81',
  tracks: 80,
  mappedTracks: 80,
  directoryTrack: 40,
  directorySector: 3,
  interleave: 1,
  directoryInterleave: 1,
  nameOffset: 0x04,
  idOffset: 0x16,
  dosVersion: 0x44,
  dosType: '3D',
  sectorsIn: () => 40,
};

/** Every known variant: D64 with 35, 40 and 42 tracks, D71, D81. */
export const diskGeometries: readonly DiskGeometry[] = [d64(35), d64(40), d64(42), d71, d81];

export function sectorCount(geometry: DiskGeometry): number {
  let count = 0;
  for (let track = 1; track <= geometry.tracks; track++) count += geometry.sectorsIn(track);
  return count;
}

/** The variant an image of that many bytes is, with or without a byte of error information for each sector. */
export function geometryOf(length: number): { geometry: DiskGeometry; hasErrors: boolean } | undefined {
  for (const geometry of diskGeometries) {
    const sectors = sectorCount(geometry);
    if (length === sectors * 256) return { geometry, hasErrors: false };
    if (length === sectors * 257) return { geometry, hasErrors: true };
  }
  return undefined;
}
