import type { Writable } from 'node:stream';
import { coloursFor } from '../colours.ts';
import type { ConfigSections } from '../config-sections.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { openLog } from '../log.ts';
import type { Surroundings } from '../main.ts';
import type { OptionValues } from '../options.ts';
import { openWorld } from '../world.ts';
import { notCompared } from './comparison.ts';
import { readSession } from './recorded-session.ts';
import { Replay, type ReplayedCall } from './replay.ts';

interface ReplayOptions {
  readonly options: OptionValues;
  /** Below the folders of --allow-path. */
  readonly mayWrite: boolean;
  readonly sections: ConfigSections;
}

/**
 * `frontpanel replay FILE`: the journal as a program. Files are read where the session could read them; nothing is written
 * unless folders for that are named now.
 */
export async function replay(
  path: string,
  { options, mayWrite, sections }: ReplayOptions,
  around: Surroundings,
): Promise<ExitCode> {
  const calls = await readSession(path);
  const { allowPath, allowRead } = options;
  const own: OptionValues = {
    ...options,
    toolset: ['all'],
    allowRead: [...allowRead, ...allowPath],
    allowPath: mayWrite ? allowPath : [],
  };
  const log = openLog('error', undefined, (line) => around.stderr.write(line));
  const world = await openWorld(own, sections, around.env, around.self, log);
  const counts = { same: 0, different: 0, 'not compared': 0 };
  try {
    const session = new Replay(world.host, world.rack);
    for (const call of calls) {
      for (const verdict of await session.next(call)) {
        counts[verdict.verdict]++;
        around.stdout.write(describe(verdict, around.stdout, around.env, options.json));
      }
    }
  } finally {
    await world.close();
  }
  const isProven = counts.different === 0 && counts.same > 0;
  if (options.json) around.stdout.write(`${JSON.stringify({ ok: isProven, ...counts })}\n`);
  else around.stdout.write(summary(counts));
  return isProven ? exitCodes.ok : exitCodes.failed;
}

function describe(verdict: ReplayedCall, stdout: Writable, env: NodeJS.ProcessEnv, asJson: boolean): string {
  const { call, verdict: found, why } = verdict;
  const { seq, tool, machine } = call;
  if (asJson) return `${JSON.stringify({ seq, tool, machine, verdict: found, why })}\n`;
  const { green, red, dim } = coloursFor(stdout, env);
  const mark = { same: green('same'), different: red('DIFFERENT'), 'not compared': dim('not compared') }[found];
  return `${seq} ${tool}${machine === undefined ? '' : ` ${machine}`}: ${mark}${why === undefined ? '' : `: ${why}`}\n`;
}

function summary({ same, different, 'not compared': others }: Record<ReplayedCall['verdict'], number>): string {
  const masked = notCompared.map(({ what, why }) => `${what} (${why})`).join(', ');
  return (
    `${same} answers are the same, ${different} are different, ${others} were not compared.\n` +
    `Of no answer compared: ${masked}.\n`
  );
}
