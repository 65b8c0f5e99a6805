import { call, perform, upload } from '../requests.ts';
import { choose, showTrouble } from '../store.ts';

const kindOfEnding: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['com', 'exe', 'bat'].map((ending) => [ending, 'dos'])),
  ...Object.fromEntries(
    ['prg', 'p00', 't64', 'd64', 'g64', 'p64', 'd71', 'd81', 'tap', 'crt', 'bas', 'asm', 's'].map((ending) => [
      ending,
      'c64',
    ]),
  ),
};

/** For a browser's dialog of files. */
export const programEndings = Object.keys(kindOfEnding)
  .map((ending) => `.${ending}`)
  .join(',');

/** The file that was dropped, if it was one. */
export function dropOf(event: DragEvent): File | undefined {
  event.preventDefault();
  return event.dataTransfer?.files[0];
}

/** Starts the machine that a program is for, and the program on it. */
export async function startWithFile(file: File): Promise<void> {
  const ending = endingOf(file);
  const kind = kindOfEnding[ending];
  if (kind === undefined) {
    showTrouble(
      `No kind of machine runs .${ending.slice(0, 10)} files directly. Start a machine, then ask an agent to attach the file.`,
    );
    return;
  }
  const path = await upload(file);
  if (path === undefined) return;
  const started = await call('machine_start', { kind, options: { clock: 'real' } }, true);
  if (started.type !== 'answer') {
    showTrouble(started.type === 'error' ? `${started.message} ${started.fix}` : started.question);
    return;
  }
  const machine = String(Reflect.get(Object(started.data), 'machine'));
  choose(machine);
  await begin(machine, path);
}

/** Runs a program on a machine that is there. */
export async function runFileOn(machine: string, file: File): Promise<void> {
  const path = await upload(file);
  if (path !== undefined) await begin(machine, path);
}

async function begin(machine: string, path: string): Promise<void> {
  const tool = path.toLowerCase().endsWith('.crt') ? 'media_attach' : 'program_run';
  if (await perform(tool, { machine, path })) await perform('run', { machine, detach: 'real' });
}

function endingOf({ name }: File): string {
  return name.split('.').at(-1)?.toLowerCase() ?? '';
}
