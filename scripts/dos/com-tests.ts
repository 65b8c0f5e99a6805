import { readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { DosSystem } from '../../src/machines/dos/board/dos-system.ts';
import { FolderSource } from '../../src/machines/dos/drives/folder-source.ts';
import { shortNames } from '../../src/machines/dos/drives/short-names.ts';
import { TreeDrive } from '../../src/machines/dos/drives/tree-drive.ts';

/** Self-tests write their verdict here, a byte for each check. */
const resultPort = 0x999;
const detailPort = 0x998;
const failed = 0xff;
const mostInstructions = 40_000_000;

export interface ComVerdict {
  readonly passed: boolean;
  readonly why: string;
}

/** Runs a COM program that judges itself. */
export function runComTest(path: string): ComVerdict {
  const results: number[] = [];
  const details: number[] = [];
  const system = new DosSystem(
    {
      model: '80386',
      instructionsPerSecond: 4_000_000,
      extendedKilobytes: 8192,
      date: { year: 2024, month: 11, day: 17, hour: 12, minute: 34, second: 56 },
      sink: { active: false, add() {} },
      drives: new Map([[2, new TreeDrive(new FolderSource(dirname(path)))]]),
      disks: new Map(),
      commands: [shortName(path)],
      interactive: true,
      environment: ['COMSPEC=C:\\COMMAND.COM', 'PATH=C:\\'],
    },
    { serial() {}, print() {}, called: () => undefined },
  );
  const { board } = system;
  board.ports.add(detailPort, resultPort, {
    read: () => 0xff,
    write(port, value) {
      (port === resultPort ? results : details).push(value);
      board.cpu.stop();
    },
  });
  let why = 'no verdict';
  while (board.instructions < mostInstructions) {
    // Behind a verdict comes HLT: an interrupt must not wake it.
    const end = board.run(board.instructions + (results.length > 0 ? 1 : 100_000));
    if (end.reason !== 'count' && end.reason !== 'stop') {
      why = end.reason === 'unsupported' ? end.what : end.reason;
      break;
    }
    if (results.includes(failed) || (results.length > 0 && board.cpu.halted)) break;
  }
  const text = results.map((value) => value.toString(16).padStart(2, '0')).join(' ');
  if (results.length === 0) return { passed: false, why };
  return { passed: results.every((value) => value === 0), why: `port 999: ${text}${details.length > 0 ? `, 998: ${details.join(' ')}` : ''}` };
}

/** As the drive names it, among the files beside it. */
function shortName(path: string): string {
  const files = readdirSync(dirname(path)).sort();
  return shortNames(files)[files.indexOf(basename(path))]?.slice(0, 8).trimEnd() ?? '';
}
