import { disassemble } from '../../../chips/mos6510/disassemble.ts';
import { fields as cpu, getStatus } from '../../../chips/mos6510/registers.ts';
import type { BreakpointTrigger } from '../../../machine/breakpoints.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { StopEvent } from '../../../machine/state.ts';
import type { Reading, Vocabulary } from '../../shared/condition/condition.ts';
import type { CommodoreBoard } from '../board/commodore-board.ts';
import type { Drive1541 } from '../drive/drive-1541.ts';
import { type DriveUnit, driveUnits } from '../drive/drive-state.ts';
import { type Node, triggersIn } from './breakpoints/trigger.ts';

export const mainProcessor = 'main';

/** What a breakpoint on a drive has beside its specification. */
export interface DriveArmed {
  readonly cpu?: string | undefined;
  readonly root: Node;
  readonly logs: Reading | undefined;
}

/** A breakpoint that a drive's processor has come to. */
export interface Reached<Armed> {
  readonly armed: Armed;
  readonly event: StopEvent;
  readonly logged: bigint | undefined;
}

/** What is waited for on the processors of drives. They are only looked at between `open` and `close`. */
export class DriveWatch<Armed extends DriveArmed> {
  readonly #board: CommodoreBoard;
  #armed: readonly Armed[] = [];
  #reached: Reached<Armed>[] = [];
  #stepped: Drive1541 | undefined;
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

  /** Until this is called again every instruction of the drive is waited for. */
  step(drive: Drive1541 | undefined): void {
    this.#stepped = drive;
    this.hasStepped = false;
  }

  /** What names mean in one that is being set; refuses what drives have not. */
  vocabularyFor(name: string, { type, address, length, bank }: BreakpointTrigger): Vocabulary {
    const drive = driveNamed(this.#board, name);
    if (type !== 'exec') {
      const message = `${name} stops at instructions only, not at accesses of type ${type}.`;
      throw new MachineError('INVALID_ARGUMENT', message, 'Use type exec, with a condition if need be.');
    }
    if (bank !== undefined) {
      throw new MachineError('INVALID_ARGUMENT', `The memory of ${name} has no banks.`, 'Leave bank out.');
    }
    if (address < 0n || address + BigInt(length) > 0x10000n) {
      throw new MachineError('ADDRESS_OUT_OF_BOUNDS', `No such address in ${name}.`, 'Use $0000 to $FFFF.');
    }
    return vocabularyOf(this.#board, drive.unit);
  }

  open(): void {
    this.#board.drives.catchUp();
    this.#board.drives.onInstruction = (drive) => this.#look(drive);
  }

  close(): void {
    this.#board.drives.onInstruction = undefined;
  }

  /** What has been come to since the last time, oldest first. */
  take(): readonly Reached<Armed>[] {
    return this.#reached.length === 0 ? this.#reached : this.#reached.splice(0);
  }

  #look(drive: Drive1541): boolean {
    if (drive === this.#stepped) this.hasStepped = true;
    let isStop = drive === this.#stepped;
    for (const armed of this.#armed) {
      if (armed.cpu !== nameOf(drive.unit)) continue;
      const isMet = triggersIn(armed.root).some(
        ({ first, last, holds }) => drive.pc >= first && drive.pc <= last && holds?.() !== 0,
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
export function driveNamed(board: CommodoreBoard, name: string): Drive1541 {
  const drive = board.drives.real.find(({ unit }) => nameOf(unit) === name);
  if (drive) return drive;
  const isUnit = driveUnits.some((unit) => nameOf(unit) === name && board.drives.isConnected(unit));
  const names = [mainProcessor, ...board.drives.real.map(({ unit }) => nameOf(unit))];
  throw new MachineError(
    'INVALID_ARGUMENT',
    isUnit ? `${name} has no processor of its own here.` : `No processor ${JSON.stringify(name.slice(0, 40))}.`,
    `Processors: ${names.join(', ')}. A 1541 has one where its ROM is found (option drives).`,
    { valid_processors: names },
  );
}

/** Before the instruction that a drive's processor is at. */
export function driveEvent(board: CommodoreBoard, drive: Drive1541): StopEvent {
  const { pc, unit } = drive;
  const code = [0, 1, 2].map((offset) => drive.peek((pc + offset) & 0xffff));
  return { time: board.cycles, cpu: nameOf(unit), pc: BigInt(pc), instruction: disassemble(code, pc).text };
}

/** What names in conditions mean on a drive. */
function vocabularyOf(board: CommodoreBoard, unit: DriveUnit): Vocabulary {
  const processor = () => driveNamed(board, nameOf(unit)).parts.cpu;
  const values: Readonly<Record<string, Reading>> = {
    pc: () => processor()[cpu.pc],
    a: () => processor()[cpu.a],
    x: () => processor()[cpu.x],
    y: () => processor()[cpu.y],
    sp: () => processor()[cpu.s],
    p: () => getStatus(processor()),
    cycle: () => board.cycles,
    frame: () => board.frameCount,
  };
  return {
    names: Object.keys(values),
    value: (name) => values[name.toLowerCase()],
    peek: (address, bytes) => {
      let value = 0;
      for (let index = bytes - 1; index >= 0; index--) {
        value = value * 256 + board.drives.peek(unit, (address + index) & 0xffff);
      }
      return value;
    },
  };
}
