import { parseName, upperCase } from '../drives/names.ts';
import type { Dos } from '../services/dos/dos.ts';
import { returnTo } from '../services/dos/frames.ts';
import type { LoadedProgram } from '../services/dos/program-loader.ts';
import type { Guest } from '../services/guest.ts';
import { variable } from './shell-environment.ts';
import { fileExists, isDirectory } from './shell-files.ts';

const extensions = ['.COM', '.EXE', '.BAT'];
const longestTail = 126;

/** Where the program of this name is: as given, in the current directory, then along PATH. */
export function findProgram(dos: Dos, name: string): string | undefined {
  const plain = !/[\\/:]/.test(name);
  const folders = plain ? ['', ...variable(dos, 'PATH').split(';')] : [''];
  for (const folder of folders) {
    const start = folder === '' || /[\\/:]$/.test(folder) ? folder : `${folder}\\`;
    for (const candidate of candidates(`${start}${name}`)) {
      if (fileExists(dos, candidate) && !isDirectory(dos, candidate)) return upperCase(candidate);
    }
  }
  return undefined;
}

function candidates(path: string): string[] {
  const known = extensions.some((extension) => upperCase(path).endsWith(extension));
  if (known) return [path];
  return /\.[^\\/]*$/.test(path) ? [] : extensions.map((extension) => path + extension);
}

/**
 * Loads a program and makes the processor enter it. It comes back to where this callback was called from; below INT 2Eh
 * to the callback itself, whose own return address must stay as it is.
 */
export function startProgram(dos: Dos, guest: Guest, path: string, tail: string, nested: boolean): void {
  const { sp } = guest;
  if (nested) returnTo(guest, dos.entry('int2e'), 0x7002);
  dos.processes.saveCaller(guest);
  try {
    dos.loader.enter(guest, ...loaded(dos, guest, path, tail));
  } catch (error) {
    guest.sp = sp;
    throw error;
  }
}

function loaded(dos: Dos, guest: Guest, path: string, tail: string): [program: LoadedProgram, fcbDrives: number] {
  const text = tail.slice(0, longestTail);
  const words = text.trim().split(/[\s,;=]+/);
  const program = dos.loader.load(guest, dos.paths.resolve(path), {
    environment: 0,
    tail: Uint8Array.of(text.length, ...Array.from(text, (character) => character.charCodeAt(0)), 13),
    firstFcb: controlBlock(words[0] ?? ''),
    secondFcb: controlBlock(words[1] ?? ''),
  });
  return [program, dos.loader.fcbDrives(program.process)];
}

function controlBlock(word: string): Uint8Array {
  const drive = word[1] === ':' ? upperCase(word).charCodeAt(0) - 0x40 : 0;
  const name = parseName(word[1] === ':' ? word.slice(2) : word, true) ?? ''.padEnd(11);
  return Uint8Array.of(drive & 0xff, ...Array.from(name, (character) => character.charCodeAt(0)), 0, 0, 0, 0);
}
