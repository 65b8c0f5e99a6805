import type { Dos } from './dos.ts';
import type { SystemFile } from './system-files.ts';

const standardInput = 0;
const standardOutput = 1;
const endOfFile = 26;

/** The console that is ours; one that a driver of the guest has replaced is a device as any other. */
export function isConsole(dos: Dos, file: SystemFile): boolean {
  return file.isDevice && dos.devices.isOwn(file.driver) && dos.deviceFiles.header(file).name === 'CON';
}

/** One byte of standard input; Ctrl-Z at the end of a file it was redirected to. */
export function readInput(dos: Dos, check: boolean): number {
  const file = dos.handles.file(standardInput);
  if (isConsole(dos, file)) return dos.console.read(check);
  return dos.handles.read(file, 1)[0] ?? endOfFile;
}

export function inputReady(dos: Dos, check: boolean): boolean {
  const file = dos.handles.file(standardInput);
  if (isConsole(dos, file)) return dos.console.ready(check);
  if (check) dos.console.ready(true);
  return file.isDevice ? dos.deviceFiles.inputReady(file) : file.position < dos.handles.size(file);
}

/** Forgets what was typed. Files are left where they are. */
export function flushInput(dos: Dos): void {
  if (dos.handles.isValid(standardInput) && dos.handles.file(standardInput).isDevice) dos.console.flush();
}

/** Without waiting: undefined where there is nothing. */
export function tryReadInput(dos: Dos): number | undefined {
  const file = dos.handles.file(standardInput);
  if (isConsole(dos, file)) return dos.console.tryRead();
  return inputReady(dos, false) ? dos.handles.read(file, 1)[0] : undefined;
}

export function readInputLine(dos: Dos, limit: number, template: readonly number[]): number[] {
  const file = dos.handles.file(standardInput);
  if (isConsole(dos, file)) return dos.console.readLine(limit, template);
  if (file.isDevice) {
    return dos.console.readLine(limit, template, {
      next: () => dos.handles.read(file, 1)[0],
      echo: (byte) => writeOutput(dos, byte),
      taken: () => dos.drivers.commit(),
    });
  }
  const { line, echo } = dos.drivers.once(() => lineOfFile(dos, file, limit));
  writeOutputBytes(dos, echo);
  return line;
}

/** All or nothing: where its drive must be asked first, the same line is read again. */
function lineOfFile(dos: Dos, file: SystemFile, limit: number): { line: number[]; echo: number[] } {
  const { position } = file;
  const line: number[] = [];
  const echo: number[] = [];
  try {
    for (;;) {
      const byte = dos.handles.read(file, 1)[0] ?? endOfFile;
      if (byte === 13 || byte === endOfFile) return { line, echo };
      if (byte !== 10 && line.length < limit) line.push(byte);
      if (byte !== 10) echo.push(byte);
    }
  } catch (error) {
    file.position = position;
    throw error;
  }
}

/** Into a file in one piece. */
export function writeOutputBytes(dos: Dos, bytes: readonly number[]): void {
  const file = dos.handles.file(standardOutput);
  if (file.isDevice) for (const byte of bytes) writeOutput(dos, byte);
  else if (bytes.length > 0) dos.handles.write(file, Uint8Array.from(bytes));
}

export function writeOutput(dos: Dos, byte: number, raw = false): void {
  const file = dos.handles.file(standardOutput);
  if (!isConsole(dos, file)) dos.handles.write(file, Uint8Array.of(byte));
  else if (raw) dos.console.writeRaw(byte);
  else dos.console.write(byte);
}
