import { upperCase } from '../drives/names.ts';
import type { Dos } from '../services/dos/dos.ts';
import { environmentBytes, readEnvironment } from '../services/dos/environment.ts';
import { linear } from '../services/dos/far-pointer.ts';
import { psp } from '../services/dos/processes.ts';
import { ShellError } from './shell-command.ts';

/** A kilobyte, as the first interpreter gets it. */
const leastParagraphs = 0x40;

/** Of the interpreter that is at work, which is the current process then. */
function segment(dos: Dos): number {
  return dos.processes.word(dos.processes.current, psp.environment);
}

/** The variables of the command interpreter, in the memory block that its children copy. */
export function variables(dos: Dos): string[] {
  return readEnvironment(dos.memory, segment(dos));
}

export function variable(dos: Dos, name: string): string {
  const start = `${upperCase(name)}=`;
  return (
    variables(dos)
      .find((text) => text.startsWith(start))
      ?.slice(start.length) ?? ''
  );
}

export function setVariable(dos: Dos, name: string, value: string): void {
  const start = `${upperCase(name)}=`;
  const others = variables(dos).filter((text) => !text.startsWith(start));
  const bytes = environmentBytes(value === '' ? others : [...others, start + value], undefined);
  makeRoom(dos, (bytes.length + 15) >> 4);
  dos.memory.write(linear(segment(dos), 0), bytes);
}

/** Lets the block grow where it is, or moves it. */
function makeRoom({ blocks, processes }: Dos, paragraphs: number): void {
  const { current } = processes;
  const old = processes.word(current, psp.environment);
  if (blocks.resize(old, Math.max(paragraphs, leastParagraphs)) >= paragraphs) return;
  if (blocks.largest() < paragraphs) throw new ShellError('Out of environment space');
  processes.setWord(current, psp.environment, blocks.allocate(paragraphs, current));
  blocks.free(old);
}
