import { DosError } from '../drives/dos-error.ts';
import type { Dos } from '../services/dos/dos.ts';
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

/** Writes what is left to write and closes what redirect opened. May have to leave for a driver, and does the rest then. */
export function restoreHandles(dos: Dos, context: ShellContext): void {
  const { active, printed } = context;
  const isFull =
    printed !== '' &&
    dos.handles.write(dos.handles.file(output), Buffer.from(printed, 'latin1')) < Buffer.byteLength(printed, 'latin1');
  context.printed = '';
  if (context.savedInput >= 0) dos.handles.release(dos.files.get(replace(dos, input, context.savedInput)));
  if (context.savedOutput >= 0) dos.handles.release(dos.files.get(replace(dos, output, context.savedOutput)));
  context.savedInput = -1;
  context.savedOutput = -1;
  if (active?.temporary !== undefined) removeQuietly(dos, active.temporary);
  context.active = undefined;
  if (isFull) throw new ShellError('Insufficient disk space');
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
