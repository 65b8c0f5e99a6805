import { upperCase } from '../drives/names.ts';
import type { Dos } from '../services/dos/dos.ts';
import { environmentBytes, readEnvironment } from '../services/dos/environment.ts';
import { linear } from '../services/dos/far-pointer.ts';
import { commandSegment } from '../services/dos/layout.ts';
import { psp } from '../services/dos/processes.ts';
import { ShellError } from './shell-command.ts';

function segment(dos: Dos): number {
  return dos.processes.word(commandSegment, psp.environment);
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
  const room = dos.blocks.read(segment(dos) - 1).paragraphs * 16;
  if (bytes.length > room) throw new ShellError('Out of environment space');
  dos.memory.write(linear(segment(dos), 0), bytes);
}
