import { DosError } from '../../drives/dos-error.ts';
import type { GuestMemory } from '../guest.ts';
import { linear } from './far-pointer.ts';
import { readAsciz } from './guest-text.ts';

const maxBytes = 0x8000;

/** `NAME=value` of every variable in a segment; none for segment 0. */
export function readEnvironment(memory: GuestMemory, segment: number): string[] {
  const variables: string[] = [];
  let offset = 0;
  while (segment !== 0 && offset < maxBytes) {
    const text = readAsciz(memory, segment, offset, maxBytes - offset);
    if (text === '') break;
    variables.push(text);
    offset += text.length + 1;
  }
  return variables;
}

/** The path of the program, which lies after the variables and a count; '' where there is none. */
export function readProgramPath(memory: GuestMemory, segment: number): string {
  if (segment === 0) return '';
  const length = readEnvironment(memory, segment).reduce((sum, text) => sum + text.length + 1, 0);
  const count = linear(segment, Math.max(length, 1) + 1);
  return memory.read16(count) === 1 ? readAsciz(memory, segment, Math.max(length, 1) + 3) : '';
}

/** A block as DOS 3 and later hand it to programs: variables, a count, the path. */
export function environmentBytes(variables: readonly string[], programPath: string | undefined): Uint8Array {
  let text = variables.map((variable) => `${variable}\0`).join('') || '\0';
  text += '\0';
  if (programPath !== undefined) text += `\x01\0${programPath}\0`;
  if (text.length > maxBytes) throw new DosError('invalidEnvironment');
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
