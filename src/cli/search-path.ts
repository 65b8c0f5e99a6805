import { delimiter, isAbsolute } from 'node:path';

/**
 * Leaves only absolute places in PATH: `.`, or nothing between two colons, would be whatever folder a program is started
 * in, and some are started in folders that guests and agents write to. Answers those that were taken out, but for the empty.
 */
export function keepAbsolutePlaces(env: NodeJS.ProcessEnv): readonly string[] {
  const places = env.PATH?.split(delimiter) ?? [];
  const others = places.filter((place) => !isAbsolute(place));
  if (others.length > 0) env.PATH = places.filter(isAbsolute).join(delimiter);
  return others.filter((place) => place !== '');
}
