import type { DosSystem } from '../board/dos-system.ts';
import { formatName } from '../drives/names.ts';

const mostNamed = 5;
const firstHardDisk = 0x80;

/** What goes with the machine of its drives: floppies are media, and told of there. */
export function unsavedOnDrives({ kernel, disks }: Pick<DosSystem, 'kernel' | 'disks'>): readonly string[] {
  const files = kernel.dos.drives.unsaved.map(([drive, names]) => {
    const some = names.slice(0, mostNamed).map(formatName);
    const count = names.length === 1 ? '1 file' : `${names.length} files`;
    return `${count} written to ${String.fromCharCode(65 + drive)}: (${some.join(', ')}${names.length > mostNamed ? ' …' : ''})`;
  });
  const changed = [...disks].filter(([number, disk]) => number >= firstHardDisk && disk.isUnsaved);
  return [...files, ...changed.map(([number]) => `changes to hard disk ${number - firstHardDisk + 1}`)];
}
