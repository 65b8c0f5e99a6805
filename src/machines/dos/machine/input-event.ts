import type { Hold } from '../../shared/held-at-present.ts';
import type { DosSystem } from '../board/dos-system.ts';
import { writeRegister } from '../debug/dos-cpu.ts';
import { DosError } from '../drives/dos-error.ts';
import { attributes } from '../drives/drive.ts';
import type { Dos } from '../services/dos/dos.ts';
import { applyToDevices, type DeviceEvent } from './device-event.ts';

/** Everything that can reach the machine from outside. */
export type InputEvent =
  | { readonly type: 'key'; readonly code: number; readonly down: boolean }
  | { readonly type: 'mouse'; readonly dx: number; readonly dy: number; readonly buttons: number }
  | {
      readonly type: 'pointer';
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
    }
  | {
      readonly type: 'stick';
      readonly stick: number;
      readonly x: number;
      readonly y: number;
      readonly buttons: number;
      /** By somebody who lets go, and not until told otherwise. */
      readonly byHand?: boolean;
    }
  | { readonly type: 'serial'; readonly port: 0 | 1; readonly bytes: Uint8Array }
  | { readonly type: 'poke'; readonly address: number; readonly bytes: Uint8Array }
  | { readonly type: 'register'; readonly name: string; readonly value: number | bigint }
  | { readonly type: 'file'; readonly drive: number; readonly name: string; readonly bytes: Uint8Array }
  | { readonly type: 'reset' }
  | DeviceEvent;

/** What somebody holds with it. */
export function holdOf(event: InputEvent): Hold | undefined {
  switch (event.type) {
    case 'key':
      return { what: `key ${event.code}`, isDown: event.down };
    case 'mouse':
      // Without a way it is a button that went down or up.
      return event.dx === 0 && event.dy === 0 ? { what: 'mouse buttons' } : undefined;
    case 'stick':
      return event.byHand ? { what: `stick ${event.stick}` } : undefined;
    default:
      return undefined;
  }
}

export function applyInput(system: DosSystem, event: InputEvent): void {
  const { board, mouse, kernel } = system;
  switch (event.type) {
    case 'key':
      board.kbc.key(event.code, event.down);
      break;
    case 'mouse':
      if (board.options.serialMouse) board.serialMouse.move(event.dx, event.dy, event.buttons);
      else board.kbc.moveMouse(event.dx, event.dy, event.buttons);
      // No instruction reads what the driver looks at here.
      board.cpu.memory.unwatched(() => {
        mouse.moveBy(event.dx, event.dy);
        mouse.setButtons(event.buttons);
      });
      break;
    case 'pointer':
      board.cpu.memory.unwatched(() => mouse.moveTo(event.x, event.y, event.width, event.height));
      break;
    case 'stick':
      board.gameport.setStick(event.stick, event.x, event.y, event.buttons);
      break;
    case 'serial':
      board.serial[event.port].receive(event.bytes);
      break;
    case 'poke':
      board.poke(event.address, event.bytes);
      break;
    case 'register':
      writeRegister(board.cpu, event.name, event.value);
      break;
    case 'file':
      putFile(kernel.dos, event.drive, event.name, event.bytes);
      break;
    case 'reset':
      board.reset();
      break;
    default:
      applyToDevices(system, event);
  }
  board.reschedule();
}

/** A drive that is full or write-protected is as it was: whoever sent the file looks whether it is there. */
function putFile(dos: Dos, letter: number, name: string, bytes: Uint8Array): void {
  const drive = dos.drives.find(letter);
  try {
    const entry = drive?.create([name], attributes.archive, dos.stamp());
    if (!drive || !entry) return;
    drive.write(entry.id, 0, bytes, dos.stamp());
    drive.commit(entry.id);
  } catch (error) {
    if (!(error instanceof DosError)) throw error;
  }
}
