import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { MachineError } from '../../src/machine/errors.ts';
import { type FolderProgram, programsIn } from './folder-programs.ts';
import { ToolSession } from './tool-session.ts';

/** Pressed one after the other: what a person tries on a program that they do not know. */
const keys = [[], ['enter'], ['space'], ['y'], ['esc']] as const;

const seenShape = z.object({ end: z.string(), instructions: z.number(), screen: z.string() });
type Seen = z.output<typeof seenShape>;

export interface FolderRun {
  readonly filter: string;
  /** Of each program. */
  readonly frames: number;
  /** A folder for what their screens showed. */
  readonly pictures?: string | undefined;
  /** What was seen of each before; every difference is a failure. */
  readonly against?: string | undefined;
  readonly save?: string | undefined;
}

/**
 * Starts every program of a folder, lets it run and gives it some keys, and tells what became of it. True where none was
 * refused, none ended in an error, and nothing is otherwise than before.
 */
export async function runFolder(folder: string, wanted: FolderRun, print: (line: string) => void): Promise<boolean> {
  const { against, save, filter } = wanted;
  const before =
    against === undefined ? {} : z.record(z.string(), seenShape).parse(JSON.parse(readFileSync(against, 'utf8')));
  const seen: Record<string, Seen> = {};
  const counts = { ended: 0, runs: 0, refused: 0, ERROR: 0, changed: 0 };
  const place = mkdtempSync(join(tmpdir(), 'suite-dos-'));
  try {
    for (const program of programsIn(folder, place).filter(({ name }) => name.includes(filter))) {
      const { name } = program;
      const { speed, ...now } = await runOf(program, wanted);
      seen[name] = now;
      if (save !== undefined) writeFileSync(save, `${JSON.stringify(seen, null, 2)}\n`);
      const then = before[name];
      const changes = then === undefined ? '' : difference(then, now);
      counts[/^\w+/.exec(now.end)?.[0] as 'ended' | 'runs' | 'refused' | 'ERROR']++;
      if (changes !== '') counts.changed++;
      const isBad = changes !== '' || /^(refused|ERROR)/.test(now.end);
      const rate = speed === undefined ? '' : ` · ${speed.toFixed(0)} frames a CPU-second`;
      print(`${isBad ? 'FAIL' : 'ok  '} ${name}: ${now.end}${rate}${changes === '' ? '' : ` (${changes})`}`);
    }
  } finally {
    rmSync(place, { recursive: true });
  }
  const { ended, runs, refused, ERROR: errors, changed } = counts;
  print(`\n${ended} ended, ${runs} run, ${refused} refused, ${errors} in an error, ${changed} otherwise than before`);
  return ended + runs > 0 && refused + errors + changed === 0;
}

/** With the frames that passed in a second of processor time. */
async function runOf(program: FolderProgram, wanted: FolderRun): Promise<Seen & { readonly speed?: number }> {
  const { path, refusal } = program;
  if (refusal !== undefined) return { end: `refused: ${refusal}`, instructions: 0, screen: '' };
  let session: ToolSession;
  try {
    session = await ToolSession.start({ program: path });
  } catch (error) {
    if (!(error instanceof MachineError)) throw error;
    return { end: `refused: ${error.message}`, instructions: 0, screen: '' };
  }
  try {
    return await used(session, program.name, wanted);
  } finally {
    await session.close();
  }
}

async function used(session: ToolSession, name: string, { frames, pictures }: FolderRun) {
  const stretch = Math.max(1, Math.round(frames / keys.length));
  const began = process.cpuUsage();
  const shown: string[] = [];
  for (const pressed of keys) {
    // Nobody is there any more to be watched.
    if (pressed.length > 0 && (session.status.state === 'ERROR' || session.machine.control.system.shell.isAtPrompt))
      break;
    if (pressed.length > 0) await session.call('input_send', { keys: pressed });
    await session.call('run', { frames: stretch, timeout_ms: 50_000 });
    const { images = [] } = await session.call('screen_read', { mode: 'image' });
    shown.push(images[0]?.base64 ?? '');
  }
  const { user, system } = process.cpuUsage(began);
  if (pictures !== undefined) writePictures(pictures, name, shown);
  const end = await endOf(session);
  return {
    end,
    instructions: session.status.now?.time ?? 0,
    screen: createHash('sha256')
      .update(shown.at(-1) ?? '')
      .digest('hex')
      .slice(0, 16),
    speed: (stretch * shown.length * 1e6) / (user + system),
  };
}

async function endOf({ status: { state, stop }, machine }: ToolSession): Promise<string> {
  if (state === 'ERROR') return `ERROR: ${stop?.reason ?? 'no reason is known'}`;
  const { shell } = machine.control.system;
  if (shell.isAtPrompt) return `ended with exit code ${shell.errorLevel}`;
  const text = await machine.screen.text();
  if (text) return `runs, a screen of ${text.columns}x${text.rows} characters`;
  const { width, height } = await machine.screen.picture();
  return `runs, a picture of ${width}x${height}`;
}

/** One after each stretch of time; what has not changed is not written again. */
function writePictures(folder: string, name: string, pictures: readonly string[]): void {
  mkdirSync(folder, { recursive: true });
  for (const [index, picture] of pictures.entries()) {
    if (picture === pictures[index - 1]) continue;
    const file = `${name.replaceAll(/[^\w.-]/g, '_')}-${index + 1}.png`;
    writeFileSync(join(folder, file), Buffer.from(picture, 'base64'));
  }
}

function difference(then: Seen, now: Seen): string {
  const changed = (['end', 'instructions', 'screen'] as const).filter((name) => then[name] !== now[name]);
  return changed.map((name) => `${name}: ${then[name]} before, ${now[name]} now`).join('; ');
}
