import type { DosSystem } from '../../board/dos-system.ts';
import { damagedDos, type UnpackedDos } from './dos-image.ts';

/** Refuses a state that this machine cannot take, before anything of it has changed. */
export function refuseUnfit(system: DosSystem, { state, services, stubs }: UnpackedDos): void {
  if (state.length !== system.board.bytes.length) {
    throw damagedDos(`it has ${state.length} bytes and not ${system.board.bytes.length}`);
  }
  if (!services.ownDos) return;
  system.knowStubs();
  if (stubs.join() !== system.stubNames.join()) throw damagedDos('its DOS has other services');
}
