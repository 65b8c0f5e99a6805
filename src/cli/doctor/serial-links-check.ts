import { unlink } from 'node:fs/promises';
import { leftoverSerialLinks, serialLinkDir } from '../../console/socket-symlink.ts';
import type { Check } from './finding.ts';

/** Links in /tmp that servers left which died; nobody else's are looked at. */
export const checkSerialLinks: Check = async ({ fix, serialLinkFolder = serialLinkDir }) => {
  const check = 'serial links';
  const left = await leftoverSerialLinks(serialLinkFolder);
  if (left.length === 0) return [];
  const names = left.join(', ');
  if (!fix) {
    const detail = `${names} lead to consoles of servers that died`;
    return [{ check, status: 'warn', detail, fix: 'Run frontpanel doctor --fix.' }];
  }
  for (const path of left) await unlink(path);
  return [{ check, status: 'ok', detail: `removed ${names}` }];
};
