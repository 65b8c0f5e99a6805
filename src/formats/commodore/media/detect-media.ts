import { isCrt } from './crt.ts';
import { geometryOf } from './disk-geometry.ts';
import { isG64 } from './g64.ts';
import { isP00 } from './p00.ts';
import { isP64 } from './p64.ts';
import { isT64 } from './t64.ts';
import { isTap } from './tap.ts';

export type MediaKind = 'prg' | 'p00' | 't64' | 'd64' | 'd71' | 'd81' | 'g64' | 'p64' | 'tap' | 'crt';

/** What a file is: by what is in it where that tells, else by its length, last by its name. */
export function detectMedia(bytes: Uint8Array, fileName = ''): MediaKind | undefined {
  if (isCrt(bytes)) return 'crt';
  if (isG64(bytes)) return 'g64';
  if (isP64(bytes)) return 'p64';
  if (isTap(bytes)) return 'tap';
  if (isP00(bytes)) return 'p00';
  if (isT64(bytes)) return 't64';
  const disk = geometryOf(bytes.length);
  const extension = /\.(\w+)$/.exec(fileName)?.[1]?.toLowerCase();
  if (disk && extension !== 'prg') return disk.geometry.kind;
  const isProgram = bytes.length > 2 && bytes.length <= 0x10002;
  return isProgram && (extension === undefined || extension === 'prg') ? 'prg' : undefined;
}
