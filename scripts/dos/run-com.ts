import { scanCodes } from '../../src/chips/i8042/scan-codes.ts';
import { AllowedFolder } from '../../src/host/files/allowed-folder.ts';
import { DosSystem } from '../../src/machines/dos/board/dos-system.ts';
import { FolderSource } from '../../src/machines/dos/drives/folder-source.ts';
import { TreeDrive } from '../../src/machines/dos/drives/tree-drive.ts';
import type { ComSetup } from './com-setups.ts';

const resultPort = 0x999;
const detailPort = 0x998;
const failed = 0xff;
const mostInstructions = 3_000_000;
const textScreen = 0xb8000;
const romSegment = 0xf000;

type Cell = NonNullable<ComSetup['cells']>[number];

/** A screen as it was when a program ended. */
export interface SeenScreen {
  readonly text: string;
  has(cell: Cell): boolean;
}

export interface ComRun {
  readonly results: readonly number[];
  readonly details: readonly number[];
  readonly screens: readonly SeenScreen[];
  /** It came to its HLT. */
  readonly halted: boolean;
  /** Paragraphs in the largest free block. */
  readonly free: number;
  readonly why: string;
}

/** Runs a command on a fresh machine until the program halts, or for a while. */
export function runCom(folder: string, command: string, setup: ComSetup): ComRun {
  const results: number[] = [];
  const details: number[] = [];
  const screens: SeenScreen[] = [];
  const system: DosSystem = new DosSystem(
    {
      model: '80386',
      instructionsPerSecond: setup.instructionsPerSecond ?? 4_000_000,
      extendedKilobytes: 8192,
      date: { year: 2024, month: 11, day: 17, hour: 12, minute: 34, second: 56 },
      sink: { active: false, add() {} },
      drives: new Map([[2, new TreeDrive(new FolderSource(AllowedFolder.at(folder)))]]),
      disks: new Map(),
      commands: [command],
      interactive: true,
      environment: ['BLASTER=A220 I7 D1 T3', 'COMSPEC=Z:\\COMMAND.COM', 'PATH=Z:\\;C:\\'],
    },
    {
      serial() {},
      print() {},
      called() {
        if (system.guest.ah === 0x4c) screens.push(look(system));
        return undefined;
      },
    },
  );
  const { board } = system;
  const { cpu } = board;
  const press = () => {
    for (const down of [true, false]) for (const key of setup.keys ?? []) board.kbc.key(scanCodes[key] ?? 0, down);
    board.reschedule();
  };
  board.ports.add(detailPort, resultPort, {
    read: () => 0xff,
    write(port, value) {
      (port === resultPort ? results : details).push(value);
      if (port === resultPort && results.length === 1 && !setup.keysAtOnce) press();
    },
  });
  let halted = false;
  cpu.onInstruction = ({ form, cs }) => {
    if (form.mnemonic !== 'hlt' || cs === romSegment) return;
    halted = true;
    cpu.stop();
  };
  let why = 'no verdict';
  while (board.instructions < mostInstructions && !halted && !results.includes(failed)) {
    const before = board.instructions;
    const end = board.run(before + 50_000);
    if (before === 0 && setup.keysAtOnce) press();
    if (end.reason === 'count' || end.reason === 'stop') continue;
    why = end.reason === 'unsupported' ? end.what : end.reason;
    break;
  }
  screens.push(look(system));
  return { results, details, screens, halted, free: largestFree(system), why };
}

function look({ board: { memory } }: DosSystem): SeenScreen {
  const bytes = Array.from({ length: 4000 }, (_, index) => memory.peek8(textScreen + index));
  return {
    text: bytes
      .filter((_, index) => index % 2 === 0)
      .map((byte) => String.fromCharCode(byte))
      .join(''),
    has: ([row, column, character, attribute]) => {
      const at = (row * 80 + column) * 2;
      return bytes[at] === character.charCodeAt(0) && (attribute === undefined || bytes[at + 1] === attribute);
    },
  };
}

function largestFree({ kernel }: DosSystem): number {
  return kernel.dos.blocks.largest();
}
