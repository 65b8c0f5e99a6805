import { fields, type Mos6510State, setStatus } from '../../../chips/mos6510/registers.ts';
import type { Hold } from '../../shared/held-at-present.ts';
import type { CommodoreBank, CommodoreBoard } from '../board/commodore-board.ts';
import type { TapeKey } from '../drive/datasette.ts';
import type { DriveUnit } from '../drive/drive-state.ts';

/** Everything that reaches the board from outside. The same events at the same cycles give the same machine. */
export type InputEvent = Outside & {
  /** Drives were held at an instruction then (see `DriveSet`), and have so many beats to make after it. */
  readonly whileHeld?: number;
};

type Outside =
  | { readonly type: 'key'; readonly column: number; readonly row: number; readonly down: boolean }
  | { readonly type: 'restore'; readonly down: boolean }
  | {
      readonly type: 'joystick';
      readonly port: number;
      readonly bits: number;
      /** By somebody who lets go, and not until told otherwise. */
      readonly byHand?: boolean;
    }
  | { readonly type: 'paddles'; readonly port: number; readonly x: number; readonly y: number }
  | { readonly type: 'pen'; readonly at: { readonly x: number; readonly y: number } | undefined }
  | { readonly type: 'tape'; readonly image: Uint8Array | undefined; readonly readOnly?: boolean }
  | { readonly type: 'tapeKey'; readonly key: TapeKey }
  | { readonly type: 'poke'; readonly bank: CommodoreBank; readonly address: number; readonly bytes: Uint8Array }
  | { readonly type: 'drivePoke'; readonly unit: DriveUnit; readonly address: number; readonly bytes: Uint8Array }
  | {
      readonly type: 'register';
      /** The drive whose processor it is; the computer's without one. */
      readonly unit?: DriveUnit;
      readonly name: RegisterName;
      readonly value: number;
    }
  | { readonly type: 'attach'; readonly unit: DriveUnit; readonly image: Uint8Array; readonly readOnly: boolean }
  | { readonly type: 'detach'; readonly unit: DriveUnit }
  | { readonly type: 'connect'; readonly unit: DriveUnit }
  | { readonly type: 'disconnect'; readonly unit: DriveUnit }
  | { readonly type: 'expansionRam'; readonly name: string; readonly address: number; readonly bytes: Uint8Array }
  | { readonly type: 'touch'; readonly address: number; readonly length: number }
  | { readonly type: 'driveReset'; readonly unit: DriveUnit }
  | { readonly type: 'userPort'; readonly pins: number }
  | { readonly type: 'freeze' }
  | { readonly type: 'reset' };

export type RegisterName = 'PC' | 'A' | 'X' | 'Y' | 'SP' | 'P';

/** What somebody holds with it. */
export function holdOf(event: InputEvent): Hold | undefined {
  switch (event.type) {
    case 'key':
      return { what: `key ${event.column},${event.row}`, isDown: event.down };
    case 'restore':
      return { what: 'restore', isDown: event.down };
    case 'joystick':
      return event.byHand ? { what: `joystick ${event.port}` } : undefined;
    default:
      return undefined;
  }
}

/** Whether the key that it is about is down now. */
export function isDown(board: CommodoreBoard, event: InputEvent): boolean {
  if (event.type === 'restore') return board.isRestoreDown;
  return event.type === 'key' && board.isKeyDown(event.column, event.row);
}

const nopRow = 0xea;

export function applyInput(board: CommodoreBoard, event: InputEvent): void {
  if (event.whileHeld) board.drives.hold(event.whileHeld);
  switch (event.type) {
    case 'key':
      board.setKey(event.column, event.row, event.down);
      return;
    case 'restore':
      board.setRestore(event.down);
      return;
    case 'joystick':
      board.setJoystick(event.port, event.bits);
      return;
    case 'paddles':
      board.setPaddles(event.port, event.x, event.y);
      return;
    case 'pen':
      board.aimLightPen(event.at);
      return;
    case 'tape':
      if (event.image) board.tape.insert(event.image, event.readOnly);
      else board.tape.eject();
      return;
    case 'tapeKey':
      board.tape.press(event.key);
      return;
    case 'poke':
      for (const [offset, value] of event.bytes.entries()) board.poke(event.bank, event.address + offset, value);
      return;
    case 'drivePoke':
      board.catchUp();
      for (const [offset, value] of event.bytes.entries()) board.drives.poke(event.unit, event.address + offset, value);
      return;
    case 'register':
      if (event.unit === undefined) writeRegister(board.cpu.state, event.name, event.value);
      else writeRegister(driveState(board, event.unit), event.name, event.value);
      return;
    case 'attach':
      board.drives.attach(event.unit, event.image, { readOnly: event.readOnly });
      return;
    case 'detach':
      board.drives.detach(event.unit);
      return;
    case 'connect':
      board.drives.connect(event.unit);
      return;
    case 'disconnect':
      board.drives.disconnect(event.unit);
      return;
    case 'expansionRam':
      board.expansionRam?.of(event.name)?.set(event.address, event.bytes);
      return;
    case 'touch':
      for (let offset = 0; offset < event.length; offset++) board.read((event.address + offset) & 0xffff);
      return;
    case 'driveReset':
      board.drives.resetUnit(event.unit);
      return;
    case 'userPort':
      board.setUserPort?.(event.pins);
      return;
    case 'freeze':
      board.freeze?.();
      return;
    case 'reset':
      board.reset();
      return;
  }
}

function driveState(board: CommodoreBoard, unit: DriveUnit): Mos6510State {
  board.catchUp();
  const drive = board.drives.real.find((each) => each.unit === unit);
  if (!drive) throw new RangeError(`drive ${unit} has no processor`);
  return drive.parts.cpu;
}

export function writeRegister(cpu: Mos6510State, name: RegisterName, value: number): void {
  switch (name) {
    case 'PC':
      cpu[fields.pc] = value;
      cpu[fields.instructionPc] = value;
      // Whatever it was doing, a reset or a jam included, it now fetches an opcode.
      cpu[fields.step] = nopRow << 3;
      cpu[fields.jammed] = 0;
      return;
    case 'A':
      cpu[fields.a] = value;
      return;
    case 'X':
      cpu[fields.x] = value;
      return;
    case 'Y':
      cpu[fields.y] = value;
      return;
    case 'SP':
      cpu[fields.s] = value;
      return;
    case 'P':
      setStatus(cpu, value);
      return;
  }
}
