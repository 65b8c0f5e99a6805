import type { DosSystem } from '../board/dos-system.ts';
import { DosError } from '../drives/dos-error.ts';
import { attributes } from '../drives/drive.ts';
import { teletype } from '../services/bios/video/text-output.ts';
import type { Dos } from '../services/dos/dos.ts';
import { GuestDrive } from '../services/dos/guest-drive.ts';

/** What somebody does to devices, BIOS and DOS from outside, as a program could. */
export type DeviceEvent =
  | { readonly type: 'out'; readonly port: number; readonly value: number }
  | { readonly type: 'in'; readonly port: number }
  | { readonly type: 'videoMode'; readonly mode: number }
  | { readonly type: 'cursor'; readonly page: number; readonly row: number; readonly column: number }
  | { readonly type: 'page'; readonly page: number }
  | { readonly type: 'print'; readonly codes: readonly number[] }
  | { readonly type: 'pixel'; readonly x: number; readonly y: number; readonly colour: number }
  | { readonly type: 'drive'; readonly drive: number }
  | { readonly type: 'directory'; readonly path: string };

/** The colour in which text is drawn in graphics modes. */
const drawnColour = 7;

export function applyToDevices(system: DosSystem, event: DeviceEvent): void {
  const { board, bios, kernel } = system;
  const { video } = bios;
  switch (event.type) {
    case 'out':
      board.ports.write8(event.port, event.value);
      break;
    case 'in':
      board.ports.read8(event.port);
      break;
    case 'videoMode':
      video.setMode(event.mode);
      break;
    case 'cursor':
      video.moveCursor(event.page, event.row, event.column);
      break;
    case 'page':
      video.showPage(event.page);
      break;
    case 'print': {
      const attribute = video.mode.layout === 'text' ? undefined : drawnColour;
      for (const code of event.codes) teletype(video, video.activePage, code, attribute);
      break;
    }
    case 'pixel':
      if (video.mode.layout !== 'text') video.page(video.activePage).putPixel(event.x, event.y, event.colour);
      break;
    case 'drive':
      if (kernel.dos.directories.valid(event.drive)) kernel.dos.area.currentDrive = event.drive;
      break;
    case 'directory':
      changeDirectory(kernel.dos, event.path);
      break;
  }
}

/** Whoever asked looks whether it is so now. */
function changeDirectory(dos: Dos, wanted: string): void {
  try {
    const path = dos.paths.resolve(wanted);
    const drive = dos.drives.get(path.drive);
    // To look into a drive of the guest's own, the guest would have to run.
    if (path.device || drive instanceof GuestDrive) return;
    const entry = drive.lookup(path.names);
    if (!entry || !(entry.attributes & attributes.directory)) return;
    dos.directories.set(path.letter ?? path.drive, dos.paths.format(path));
  } catch (error) {
    if (!(error instanceof DosError)) throw error;
  }
}
