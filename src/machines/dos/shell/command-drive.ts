import { attributes, type Drive } from '../drives/drive.ts';
import { firstStamp } from '../drives/stamp.ts';
import { TreeDrive } from '../drives/tree-drive.ts';

/** AX of the INT 2Eh that only our COMMAND.COM makes. */
const mark = 0x5046;

/**
 * Keeps what it needs of its memory and asks the interpreter to do what its command tail says: mov sp,300h /
 * mov bx,30h / mov ah,4Ah / int 21h / mov si,80h / mov ax,mark / int 2Eh / mov ah,4Ch / int 21h.
 */
const program = Uint8Array.of(
  ...[0xbc, 0x00, 0x03, 0xbb, 0x30, 0x00, 0xb4, 0x4a, 0xcd, 0x21],
  ...[0xbe, 0x80, 0x00, 0xb8, mark & 0xff, mark >> 8, 0xcd, 0x2e],
  ...[0xb4, 0x4c, 0xcd, 0x21],
);

/** Drive Z:, where programs find the COMMAND.COM that COMSPEC names. */
export const commandDrive = {
  drive: 25,
  path: 'Z:\\COMMAND.COM',
  mark,
  open(): Drive {
    const entry = { key: 'command', name: 'COMMAND COM', attributes: attributes.archive, stamp: firstStamp };
    return new TreeDrive({
      kind: 'zip',
      rootKey: '',
      list: () => [{ ...entry, size: program.length }],
      read: () => program.slice(),
    });
  },
} as const;
