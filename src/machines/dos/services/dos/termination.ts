import { DosError } from '../../drives/dos-error.ts';
import type { Guest } from '../guest.ts';
import type { Dos } from './dos.ts';
import { unpackFar } from './far-pointer.ts';
import { setReturnAddress } from './frames.ts';
import { openFilesMax } from './layout.ts';
import type { MemoryBlocks } from './memory-blocks.ts';
import { psp } from './processes.ts';
import { openModes } from './system-files.ts';

/** How a process ended, as function 4Dh tells its parent. */
export const endings = { normal: 0, controlBreak: 1, criticalError: 2, resident: 3 } as const;

const noHandle = 0xff;

/** Ends the current process: its parent goes on after the EXEC that started it. */
export function terminate(dos: Dos, guest: Guest, code: number, ending: number): void {
  const { processes, area, blocks } = dos;
  const process = processes.current;
  const parent = processes.word(process, psp.parent);
  const address = unpackFar(processes.long(process, psp.terminate));
  processes.restoreVectors(process);
  if (ending !== endings.resident) {
    closeFiles(dos, process);
    dos.share.ended(process);
    freeBlocks(blocks, process);
  }
  area.returnCode = (code & 0xff) | (ending << 8);
  area.inDos = 0;
  processes.current = parent;
  area.transferArea = ((parent << 16) | psp.tail) >>> 0;
  dos.console.forgetUnfinished();
  dos.forgetWaits();
  dos.drivers.reset();
  dos.deviceFiles.cooked = [];
  processes.restoreCaller(guest, parent);
  dos.programEnded?.(parent);
  setReturnAddress(guest, address);
  guest.carry = false;
}

/** A chain that the program has destroyed stays so: the next to allocate is told. */
function freeBlocks(blocks: MemoryBlocks, process: number): void {
  try {
    blocks.freeAllOf(process);
  } catch (error) {
    if (!(error instanceof DosError)) throw error;
  }
}

function closeFiles({ processes, files, handles }: Dos, process: number): void {
  for (let handle = 0; handle < processes.handleCount(process); handle++) {
    const index = processes.handle(process, handle);
    if (index >= openFilesMax) continue;
    processes.setHandle(process, handle, noHandle);
    const file = files.get(index);
    if (file.references > 0) handles.release(file);
  }
  for (const file of files.open()) {
    if (file.owner === process && file.mode & openModes.fcb) handles.release(file);
  }
}
