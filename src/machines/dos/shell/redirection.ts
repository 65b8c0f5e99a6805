import { DosError } from '../drives/dos-error.ts';
import type { Dos } from '../services/dos/dos.ts';
import { noHandle } from '../services/dos/handles.ts';
import { CallingGuest } from '../services/dos/signals.ts';
import { ShellError } from './shell-command.ts';
import type { PendingCommand, ShellContext } from './shell-state.ts';

const input = 0;
const output = 1;

/** Puts files in the place of the interpreter's first handles, from where programs inherit them. */
export function redirect(dos: Dos, context: ShellContext, command: PendingCommand): void {
  if (command.input !== undefined && context.savedInput < 0) {
    const file = dos.handles.openPath(dos.paths.resolve(command.input), 0);
    context.savedInput = replace(dos, input, file.index);
  }
  if (command.output !== undefined) {
    context.savedOutput = replace(dos, output, openOutput(dos, command.output, command.append ?? false));
  }
  context.active = command;
  context.printed = '';
}

/**
 * Writes what is left to write and closes what redirect opened, whatever of it fails; tells of the first failure then.
 * May have to leave for a driver, and does the rest afterwards.
 */
export function restoreHandles(dos: Dos, context: ShellContext): void {
  const { active } = context;
  const failures: unknown[] = [];
  const attempt = (action: () => void) => {
    try {
      action();
    } catch (error) {
      if (error instanceof CallingGuest) throw error;
      failures.push(error);
    }
  };
  attempt(() => writePrinted(dos, context.printed));
  context.printed = '';
  const { savedInput, savedOutput } = context;
  context.savedInput = -1;
  context.savedOutput = -1;
  attempt(() => putBack(dos, input, savedInput));
  attempt(() => putBack(dos, output, savedOutput));
  const temporary = active?.temporary;
  if (temporary !== undefined) attempt(() => removeQuietly(dos, temporary));
  context.active = undefined;
  if (failures.length > 0) throw failures[0];
}

function writePrinted(dos: Dos, printed: string): void {
  if (printed === '') return;
  const bytes = Buffer.from(printed, 'latin1');
  if (dos.handles.write(dos.handles.file(output), bytes) < bytes.length)
    throw new ShellError('Insufficient disk space');
}

function putBack(dos: Dos, handle: number, saved: number): void {
  if (saved < 0) return;
  const old = replace(dos, handle, saved);
  if (old !== noHandle) dos.handles.release(dos.files.get(old));
}

function replace(dos: Dos, handle: number, index: number): number {
  const { current } = dos.processes;
  const old = dos.processes.handle(current, handle);
  dos.processes.setHandle(current, handle, index);
  return old;
}

function openOutput(dos: Dos, name: string, append: boolean): number {
  const path = dos.paths.resolve(name);
  const exists = path.device === undefined && dos.drives.get(path.drive).lookup(path.names) !== undefined;
  if (!append || path.device !== undefined || !exists) return dos.handles.createPath(path, 0).index;
  const file = dos.handles.openPath(path, 2);
  file.position = dos.handles.size(file);
  return file.index;
}

export function removeQuietly(dos: Dos, name: string): void {
  try {
    const path = dos.paths.resolve(name);
    dos.drives.get(path.drive).delete(path.names);
  } catch (error) {
    if (!(error instanceof DosError)) throw error;
  }
}
