import { MachineError } from '../../../machine/errors.ts';
import type { LoadedProgram, ProgramCapability, ProgramSource } from '../../../machine/program.ts';
import { shortNames } from '../drives/short-names.ts';
import type { DosKeyboard } from './dos-keyboard.ts';
import type { Engine } from './engine.ts';

/** Where programs are put, as a drive letter's number: C:. */
const programDrive = 2;
const promptFrames = 140;

/** Puts programs onto drive C: and starts them as a person would. */
export class DosProgram implements ProgramCapability {
  readonly formats = ['com', 'exe', 'bat'] as const;
  readonly #engine: Engine;
  readonly #keyboard: DosKeyboard;

  constructor(engine: Engine, keyboard: DosKeyboard) {
    this.#engine = engine;
    this.#keyboard = keyboard;
  }

  async load(program: ProgramSource, start: boolean, signal: AbortSignal): Promise<LoadedProgram> {
    if (!this.formats.some((format) => format === program.format)) {
      throw new MachineError(
        'INVALID_ARGUMENT',
        `DOS cannot run ${program.format} files.`,
        `It runs: ${this.formats.join(', ')}. Start the machine with the program's folder as drive C: for the files beside it.`,
      );
    }
    const { dos } = this.#engine.system.kernel;
    const drive = dos.drives.find(programDrive);
    if (!drive) throw new MachineError('UNAVAILABLE', 'There is no drive C:.', 'Start the machine with one.');
    const long = program.name.slice(Math.max(program.name.lastIndexOf('/'), program.name.lastIndexOf('\\')) + 1);
    const [name = ''] = shortNames([long]);
    const entry = drive.create([name], 0x20, dos.stamp());
    drive.write(entry.id, 0, program.bytes, dos.stamp());
    const typed = `C:\\${name.slice(0, 8).trimEnd()}.${name.slice(8).trimEnd()}`;
    if (start) {
      await this.#keyboard.type(`${typed}\n`, signal);
      await this.#engine.run({ frames: promptFrames, wallMs: 10_000 }, signal);
    }
    return { firstAddress: 0n, lastAddress: 0n, notes: [`${program.bytes.length} bytes as ${typed}`] };
  }
}
