import { coloursFor } from '../colours.ts';
import type { ConfigSections } from '../config-sections.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { openLog } from '../log.ts';
import type { Surroundings } from '../main.ts';
import type { OptionValues } from '../options.ts';
import { openWorld } from '../world.ts';
import { tour } from './tour.ts';

/** `frontpanel demo`: a tour of five machines in this process. One that cannot be started is no failure. */
export async function showDemo(
  options: OptionValues,
  sections: ConfigSections,
  { stdout, stderr, env, self }: Surroundings,
): Promise<ExitCode> {
  const log = openLog('error', undefined, (line) => stderr.write(line));
  const world = await openWorld({ ...options, toolset: ['all'] }, sections, env, self, log);
  try {
    await tour(world.host, coloursFor(stdout, env), (text) => stdout.write(text));
    return exitCodes.ok;
  } finally {
    await world.close();
  }
}
