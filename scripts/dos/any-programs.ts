import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { z } from 'zod';
import type { Status } from '../../src/machine/state.ts';
import type { DosTest } from './suite-test.ts';
import { ToolSession } from './tool-session.ts';

const mostPrograms = 500;
const framesPerSecond = 70;
/** Pressed one after the other: what a person tries on a program that they do not know. */
const keys = [[], ['enter'], ['space'], ['y'], ['esc']] as const;
/** The last line on the screen; keys that nobody waited for are after it. */
const atPrompt = /(?:^|\n)[A-Z]:\\[^\n>]*>[^\n]*\s*$/;

const runShape = z.object({ end: z.string(), instructions: z.number(), screen: z.string() });
type ProgramRun = z.output<typeof runShape>;

interface Wanted {
  /** Emulated seconds of each. */
  readonly seconds: number;
  /** What was seen of each before; every difference is a failure. */
  readonly against: string | undefined;
  readonly save: string | undefined;
}

/** All programs of a folder: each is started and given some keys. None may end in an error, or otherwise than before. */
export function anyProgramTests(folder: string, { seconds, against, save }: Wanted): DosTest[] {
  const before =
    against === undefined ? {} : z.record(z.string(), runShape).parse(JSON.parse(readFileSync(against, 'utf8')));
  const seen: Record<string, ProgramRun> = {};
  return programsIn(folder).map((path) => {
    const name = relative(folder, path);
    return {
      area: 'folder',
      name,
      async run() {
        const now = await runOf(path, seconds);
        seen[name] = now;
        if (save !== undefined) writeFileSync(save, `${JSON.stringify(seen, null, 2)}\n`);
        if (now.end.startsWith('ERROR')) return now.end;
        const then = before[name];
        return then === undefined ? '' : difference(then, now);
      },
    };
  });
}

function programsIn(folder: string): readonly string[] {
  const all = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:com|exe)$/i.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
  if (all.length > mostPrograms)
    throw new Error(`${all.length} programs are too many at once: ${mostPrograms} at most`);
  return all;
}

async function runOf(path: string, seconds: number): Promise<ProgramRun> {
  const session = await ToolSession.start({ program: path });
  try {
    const frames = Math.max(1, Math.round((seconds * framesPerSecond) / keys.length));
    for (const pressed of keys) {
      if (pressed.length > 0) await session.call('input_send', { keys: pressed });
      await session.call('run', { frames, timeout_ms: 50_000 });
    }
    const { images = [] } = await session.call('screen_read', { mode: 'image' });
    const picture = createHash('sha256')
      .update(images[0]?.base64 ?? '')
      .digest('hex')
      .slice(0, 16);
    return {
      end: endOf(session.status, await session.screen()),
      instructions: session.status.now?.time ?? 0,
      screen: picture,
    };
  } finally {
    await session.close();
  }
}

function endOf({ state, stop }: Status, screen: string): string {
  if (state === 'ERROR') return `ERROR: ${stop?.reason ?? 'no reason is known'}`;
  return atPrompt.test(screen.replace(/\n\[\/output.*$/, '')) ? 'ended' : 'runs';
}

function difference(then: ProgramRun, now: ProgramRun): string {
  const changed = (['end', 'instructions', 'screen'] as const).filter((name) => then[name] !== now[name]);
  return changed.map((name) => `${name}: ${then[name]} before, ${now[name]} now`).join('; ');
}
