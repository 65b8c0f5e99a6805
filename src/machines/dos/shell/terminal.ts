import { DosError } from '../drives/dos-error.ts';
import type { Dos } from '../services/dos/dos.ts';
import { noHandle } from '../services/dos/handles.ts';
import { deviceInfo, openModes, type SystemFile } from '../services/dos/system-files.ts';
import { ShellError } from './shell-command.ts';
import type { ShellContext } from './shell-state.ts';

const standardHandles = [0, 1, 2];
const newLine = Uint8Array.of(13, 10);

/** Makes a device the interpreter's terminal, if it takes a new line; that is COMMAND.COM's own test. */
export function useTerminal(dos: Dos, context: ShellContext, name: string): void {
  const path = dos.paths.resolve(name);
  if (path.device === undefined) throw new ShellError('Invalid device');
  const { handles, processes, files } = dos;
  const file = handles.openPath(path, openModes.readWrite);
  if (!takesNewLine(dos, file)) {
    handles.release(file);
    throw new ShellError('Invalid device');
  }
  file.info |= deviceInfo.console | deviceInfo.output;
  file.references = standardHandles.length;
  const swap = (old: number) => {
    if (old !== noHandle) handles.release(files.get(old));
    return file.index;
  };
  for (const handle of standardHandles) {
    // What this very command was redirected from and to is put back after it.
    if (handle === 0 && context.savedInput >= 0) context.savedInput = swap(context.savedInput);
    else if (handle === 1 && context.savedOutput >= 0) context.savedOutput = swap(context.savedOutput);
    else processes.setHandle(processes.current, handle, swap(processes.handle(processes.current, handle)));
  }
}

/** Whether the interpreter's input is a device that nobody can ever type at: NUL, a printer. */
export function isDeaf(dos: Dos): boolean {
  const file = dos.handles.isValid(0) ? dos.handles.file(0) : undefined;
  return file?.isDevice === true && !dos.deviceFiles.hasInput(file);
}

function takesNewLine(dos: Dos, file: SystemFile): boolean {
  try {
    dos.handles.write(file, newLine);
    return true;
  } catch (error) {
    if (!(error instanceof DosError)) throw error;
    return false;
  }
}
