import { disassemble } from '../../../chips/mos6510/disassemble.ts';
import { fields as cpu, getStatus, isInterruptNext } from '../../../chips/mos6510/registers.ts';
import { ownValue } from '../../../formats/own-value.ts';
import type { BreakpointTrigger } from '../../../machine/breakpoints.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { StopEvent } from '../../../machine/state.ts';
import type { Reading, Vocabulary } from '../../shared/condition/condition.ts';
import type { CommodoreBoard } from '../board/commodore-board.ts';
import { type DriveUnit, driveUnits } from '../drive/drive-state.ts';
import type { RealDrive } from '../drive/real-drive.ts';
import { type Node, type Trigger, triggersIn } from './breakpoints/trigger.ts';
import { beamOf, isOwnRead } from './bus-event.ts';

export const mainProcessor = 'main';

/** What a breakpoint on a drive has beside its specification. */
export interface DriveArmed {
  readonly cpu?: string | undefined;
  readonly root: Node;
  readonly logs: Reading | undefined;
}

/** A breakpoint that a drive's processor has come to, or whose memory it has touched. */
export interface Reached<Armed> {
  readonly armed: Armed;
  event: StopEvent;
  readonly logged: bigint | undefined;
}

type AccessKind = 'read' | 'write';

/** What an access is about, for conditions. */
interface Access {
  address: number;
  value: number;
  old: number;
}

const accessTypes: readonly string[] = ['read', 'write', 'change'];

/** What is waited for on the processors of drives. They are only looked at between `open` and `close`. */
export class DriveWatch<Armed extends DriveArmed> {
  readonly #board: CommodoreBoard;
  #armed: readonly Armed[] = [];
  #reached: Reached<Armed>[] = [];
  /** What instructions that are under way have touched. */
  readonly #touched = new Map<RealDrive, Reached<Armed>[]>();
  readonly #access: Access = { address: 0, value: 0, old: 0 };
  #stepped: RealDrive | undefined;
  /** The drive that is stepped has come to its next instruction. */
  hasStepped = false;

  constructor(board: CommodoreBoard) {
    this.#board = board;
  }

  /** Whether anything is waited for. */
  get isOn(): boolean {
    return this.#armed.length > 0 || this.#stepped !== undefined;
  }

  become(armed: readonly Armed[]): void {
    this.#armed = armed;
  }

  /** Forgets what has not been asked for. */
  forget(): void {
    this.#reached = [];
    this.#touched.clear();
  }

  /** Until this is called again every instruction of the drive is waited for. */
  step(drive: RealDrive | undefined): void {
    this.#stepped = drive;
    this.hasStepped = false;
  }

  /** What names mean in one that is being set; refuses what drives have not. */
  vocabularyFor(name: string, { type, address, length, bank }: BreakpointTrigger): Vocabulary {
    const drive = driveNamed(this.#board, name);
    if (type !== 'exec' && !accessTypes.includes(type)) {
      const message = `${name} stops at instructions and accesses to its memory, not at ${type}.`;
      throw new MachineError('INVALID_ARGUMENT', message, `Use type exec, ${accessTypes.join(', ')}.`);
    }
    if (bank !== undefined) {
      throw new MachineError('INVALID_ARGUMENT', `The memory of ${name} has no banks.`, 'Leave bank out.');
    }
    if (address < 0n || address + BigInt(length) > 0x10000n) {
      throw new MachineError('ADDRESS_OUT_OF_BOUNDS', `No such address in ${name}.`, 'Use $0000 to $FFFF.');
    }
    return vocabularyOf(this.#board, drive.unit, this.#access);
  }

  open(): void {
    this.#board.drives.catchUp();
    this.#board.drives.onInstruction = (drive) => this.#look(drive);
    for (const drive of this.#board.drives.real) this.#cover(drive);
  }

  close(): void {
    this.#board.drives.onInstruction = undefined;
    for (const drive of this.#board.drives.real) {
      Reflect.deleteProperty(drive, 'read');
      Reflect.deleteProperty(drive, 'write');
    }
  }

  /** Its methods are covered by others on this one instance, so that a drive whose memory nobody watches runs the plain ones. */
  #cover(drive: RealDrive): void {
    const all = this.#armed.filter(({ cpu: name }) => name === nameOf(drive.unit));
    const parts = all.flatMap((armed) =>
      triggersIn(armed.root).flatMap((trigger) => (accessTypes.includes(trigger.type) ? [{ armed, trigger }] : [])),
    );
    if (parts.length === 0) return;
    const { read, write }: RealDrive = Object.getPrototypeOf(drive);
    const tell = (kind: AccessKind, address: number, value: number) => {
      for (const part of parts) this.#touch(drive, part, kind, address, value);
    };
    drive.read = (address) => {
      const isOwn = isOwnRead(drive.parts.cpu, address);
      const value = read.call(drive, address);
      if (!isOwn) tell('read', address, value);
      return value;
    };
    drive.write = (address, value) => {
      tell('write', address, value);
      write.call(drive, address, value);
    };
  }

  /** Writes are told before they happen. */
  #touch(
    drive: RealDrive,
    { armed, trigger }: { readonly armed: Armed; readonly trigger: Trigger },
    kind: AccessKind,
    address: number,
    value: number,
  ): void {
    const { type, first, last, holds } = trigger;
    if ((type === 'read') !== (kind === 'read') || address < first || address > last) return;
    const old = kind === 'write' ? drive.peek(address) : value;
    if (type === 'change' && old === value) return;
    Object.assign(this.#access, { address, value, old });
    if (holds?.() === 0) return;
    const touched = this.#touched.get(drive) ?? [];
    const event = accessEvent(this.#board, drive, kind, address, value, old);
    const before = touched.find((each) => each.armed === armed);
    // INC and its kin write twice: the old value, then the new one.
    if (before) {
      const { access } = before.event;
      if (access && event.access && access.old !== undefined && access.address === event.access.address) {
        before.event = { ...event, access: { ...event.access, old: access.old } };
      }
      return;
    }
    const logged = armed.logs === undefined ? undefined : BigInt(Math.trunc(armed.logs()));
    this.#touched.set(drive, [...touched, { armed, event, logged }]);
  }

  /** What has been come to since the last time, oldest first. */
  take(): readonly Reached<Armed>[] {
    return this.#reached.length === 0 ? this.#reached : this.#reached.splice(0);
  }

  #look(drive: RealDrive): boolean {
    if (drive === this.#stepped) this.hasStepped = true;
    let isStop = drive === this.#stepped;
    const touched = this.#touched.get(drive) ?? [];
    if (touched.length > 0) {
      this.#touched.delete(drive);
      this.#reached.push(...touched);
      isStop = true;
    }
    // The instruction is executed after the interrupt, and met then.
    if (isInterruptNext(drive.parts.cpu)) return isStop;
    for (const armed of this.#armed) {
      if (armed.cpu !== nameOf(drive.unit)) continue;
      const isMet = triggersIn(armed.root).some(
        ({ type, first, last, holds }) => type === 'exec' && drive.pc >= first && drive.pc <= last && holds?.() !== 0,
      );
      if (!isMet) continue;
      const logged = armed.logs === undefined ? undefined : BigInt(Math.trunc(armed.logs()));
      this.#reached.push({ armed, event: driveEvent(this.#board, drive), logged });
      isStop = true;
    }
    return isStop;
  }
}

export function nameOf(unit: DriveUnit): string {
  return `drive${unit}`;
}

/** The drive with a processor that goes by this name; throws with the names there are. */
export function driveNamed(board: CommodoreBoard, name: string): RealDrive {
  const drive = board.drives.real.find(({ unit }) => nameOf(unit) === name);
  if (drive) return drive;
  const isUnit = driveUnits.some((unit) => nameOf(unit) === name && board.drives.isConnected(unit));
  const names = [mainProcessor, ...board.drives.real.map(({ unit }) => nameOf(unit))];
  throw new MachineError(
    'INVALID_ARGUMENT',
    isUnit ? `${name} has no processor of its own here.` : `No processor ${JSON.stringify(name.slice(0, 40))}.`,
    `Processors: ${names.join(', ')}. Drives have one where their ROM is found (option drives).`,
    { valid_processors: names },
  );
}

/** Before the instruction that a drive's processor is at. */
export function driveEvent(board: CommodoreBoard, drive: RealDrive): StopEvent {
  const { pc, unit } = drive;
  const code = [0, 1, 2].map((offset) => drive.peek((pc + offset) & 0xffff));
  const beam = beamOf(board);
  return { time: board.cycles, beam, cpu: nameOf(unit), pc: BigInt(pc), instruction: disassemble(code, pc).text };
}

/** An access of a drive's processor, before a write has happened. */
function accessEvent(
  board: CommodoreBoard,
  drive: RealDrive,
  kind: AccessKind,
  address: number,
  value: number,
  old: number,
): StopEvent {
  const { pc } = drive;
  const code = [0, 1, 2].map((offset) => drive.peek((pc + offset) & 0xffff));
  const space = drive.spaceOf(address);
  return {
    time: board.cycles,
    beam: beamOf(board),
    cpu: nameOf(drive.unit),
    pc: BigInt(pc),
    instruction: disassemble(code, pc).text,
    access: {
      kind,
      address: BigInt(address),
      space,
      value: BigInt(value),
      ...(kind === 'write' && { old: BigInt(old) }),
      bytes: 1,
    },
  };
}

/** What names in conditions mean on a drive. */
function vocabularyOf(board: CommodoreBoard, unit: DriveUnit, access: Access): Vocabulary {
  const processor = () => driveNamed(board, nameOf(unit)).parts.cpu;
  const values: Readonly<Record<string, Reading>> = {
    pc: () => processor()[cpu.pc],
    a: () => processor()[cpu.a],
    x: () => processor()[cpu.x],
    y: () => processor()[cpu.y],
    sp: () => processor()[cpu.s],
    p: () => getStatus(processor()),
    address: () => access.address,
    value: () => access.value,
    old_value: () => access.old,
    cycle: () => board.cycles,
    frame: () => board.frameCount,
  };
  return {
    names: Object.keys(values),
    value: (name) => ownValue(values, name.toLowerCase()),
    peek: (address, bytes) => {
      let value = 0;
      for (let index = bytes - 1; index >= 0; index--) {
        value = value * 256 + board.drives.peek(unit, (address + index) & 0xffff);
      }
      return value;
    },
  };
}
