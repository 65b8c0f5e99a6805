import { attributes } from '../drives/drive.ts';
import { parseName } from '../drives/names.ts';
import { firstStamp } from '../drives/stamp.ts';
import { TreeDrive } from '../drives/tree-drive.ts';
import type { TreeSource } from '../drives/tree-source.ts';
import { DosSystem, type DosSystemOptions, type DosSystemWires } from './dos-system.ts';

const textScreen = 0xb8000;

/** A drive with these files in its root. */
export function driveOf(files: Readonly<Record<string, Uint8Array | string>>): TreeDrive {
  const entries = Object.entries(files).map(([path, content]) => ({
    key: path,
    name: parseName(path.toUpperCase()) ?? '',
    attributes: attributes.archive,
    stamp: firstStamp,
    bytes: typeof content === 'string' ? Uint8Array.from(Buffer.from(content, 'latin1')) : content,
  }));
  const source: TreeSource = {
    kind: 'folder',
    rootKey: '',
    list: () => entries.map(({ bytes, ...entry }) => ({ ...entry, size: bytes.length })),
    read: (key) => entries.find((entry) => entry.key === key)?.bytes.slice() ?? new Uint8Array(),
  };
  return new TreeDrive(source);
}

/** A PC with nothing in its drives and at its ports, but for what is said. */
export function pcOptions(options: Partial<DosSystemOptions> = {}): DosSystemOptions {
  return {
    model: '80386',
    instructionsPerSecond: 1_000_000,
    extendedKilobytes: 64,
    date: { year: 1994, month: 1, day: 1, hour: 12, minute: 0, second: 0 },
    sink: { active: false, add() {} },
    drives: new Map(),
    disks: new Map(),
    commands: [],
    interactive: true,
    environment: ['PATH=Z:\\;C:\\'],
    ...options,
  };
}

/** Nobody listens at its ports. */
export const noWires: DosSystemWires = { serial() {}, print() {}, called: () => undefined };

/** The whole PC with a drive C: of these files. */
export class SystemBench {
  readonly system: DosSystem;

  constructor(
    files: Readonly<Record<string, Uint8Array | string>>,
    commands: readonly string[],
    options: Partial<DosSystemOptions> = {},
  ) {
    const drives = new Map([[2, driveOf(files)]]);
    this.system = new DosSystem(
      pcOptions({ extendedKilobytes: 256, drives, commands, interactive: false, ...options }),
      noWires,
    );
  }

  /** Until the commands are done, or so many instructions have passed. */
  run(instructions = 2_000_000): this {
    const { board, shell } = this.system;
    const end = board.instructions + instructions;
    while (!shell.finished && board.instructions < end) board.run(Math.min(end, board.instructions + 2_000));
    return this;
  }

  type(text: string): void {
    for (const character of text) this.system.bios.keys.push(character.charCodeAt(0));
  }

  byte(address: number): number {
    return this.system.board.memory.peek8(address);
  }

  word(address: number): number {
    return this.byte(address) | (this.byte(address + 1) << 8);
  }

  /** Lines of the screen, without what is blank at their ends. */
  get screen(): string {
    const rows = Array.from({ length: 25 }, (_, row) =>
      Array.from({ length: 80 }, (__, column) =>
        String.fromCharCode(this.byte(textScreen + (row * 80 + column) * 2) || 0x20),
      )
        .join('')
        .trimEnd(),
    );
    return rows.join('\n').trimEnd();
  }

  /** Character and attribute. */
  cell(row: number, column: number): [string, number] {
    const at = textScreen + (row * 80 + column) * 2;
    return [String.fromCharCode(this.byte(at)), this.byte(at + 1)];
  }
}
