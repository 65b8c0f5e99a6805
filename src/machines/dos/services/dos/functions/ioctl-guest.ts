import { DosError } from '../../../drives/dos-error.ts';
import type { Guest } from '../../guest.ts';
import { deviceAttributes } from '../devices.ts';
import type { Dos } from '../dos.ts';
import { driverCommands, putWord, request, requestAt, requestStatus, wordOf } from '../driver-request.ts';
import { unpackFar } from '../far-pointer.ts';

/** A driver of the guest, and which of its units is meant. */
export interface DriverUnit {
  readonly driver: number;
  readonly unit: number;
}

/** The driver behind a drive, where it is one of the guest. */
export function unitOf(dos: Dos, drive: number): DriverUnit | undefined {
  return dos.drives.guest(drive)?.disk.unit;
}

export function attributesOf(dos: Dos, { driver }: DriverUnit): number {
  return dos.devices.read(unpackFar(driver)).attributes;
}

/** Functions 4 and 5: how many bytes were transferred. */
export function transferControl(guest: Guest, dos: Dos, to: DriverUnit, writing: boolean): number {
  demand(dos, to, deviceAttributes.control);
  const command = writing ? driverCommands.writeControl : driverCommands.readControl;
  const packet = addressed(to, request(command, { segment: guest.ds, offset: guest.dx }, guest.cx));
  return wordOf(dos.drivers.ask(to.driver, packet), requestAt.count);
}

/** Function 8. */
export function isRemovable(dos: Dos, to: DriverUnit): boolean {
  demand(dos, to, deviceAttributes.openClose);
  const answer = dos.drivers.ask(to.driver, addressed(to, request(driverCommands.removable)));
  return (wordOf(answer, requestAt.status) & requestStatus.busy) === 0;
}

/** Functions 0Ch and 0Dh, or 10h and 11h, which only ask whether those would work. */
export function generic(guest: Guest, dos: Dos, to: DriverUnit, asking: boolean): void {
  demand(dos, to, asking ? deviceAttributes.query : deviceAttributes.generic);
  const packet = addressed(to, request(asking ? driverCommands.query : driverCommands.generic));
  packet[requestAt.category] = guest.ch;
  packet[requestAt.minor] = guest.cl;
  putWord(packet, requestAt.si, guest.si);
  putWord(packet, requestAt.di, guest.di);
  putWord(packet, requestAt.block, guest.dx);
  putWord(packet, requestAt.block + 2, guest.ds);
  const answer = dos.drivers.ask(to.driver, packet);
  if (asking) return;
  guest.si = wordOf(answer, requestAt.si);
  guest.di = wordOf(answer, requestAt.di);
}

/** Functions 0Eh and 0Fh: the letter used last for a unit that has several, 1 for A:, 0 where it has one only. */
export function logicalDrive(dos: Dos, to: DriverUnit, setting: boolean): number {
  demand(dos, to, deviceAttributes.generic);
  const command = setting ? driverCommands.setLogical : driverCommands.getLogical;
  return dos.drivers.ask(to.driver, addressed(to, request(command)))[requestAt.unit] ?? 0;
}

function demand(dos: Dos, to: DriverUnit, attribute: number): void {
  if (!(attributesOf(dos, to) & attribute)) throw new DosError('invalidFunction');
}

function addressed({ unit }: DriverUnit, packet: number[]): number[] {
  packet[requestAt.unit] = unit;
  return packet;
}
