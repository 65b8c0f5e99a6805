import type { OperatorPlaces } from '../host/files/operator-files.ts';
import { keptTokenPath, teamTokensPath } from '../host/kept-token.ts';
import { defaultConfigPath } from './config-file.ts';
import type { ConfigSections } from './config-sections.ts';
import type { OptionValues } from './options.ts';

/** What is no agent's, wherever the operator has put it. */
export function operatorPlaces(
  options: OptionValues,
  { tokens, consoles }: ConfigSections,
  env: NodeJS.ProcessEnv,
  runtimeRoot: string,
): OperatorPlaces {
  const { config = defaultConfigPath, tlsCert, tlsKey, natsCreds, natsCa, audit, journal, logFile } = options;
  const given = (paths: readonly (string | undefined)[]) => paths.filter((path) => path !== undefined);
  return {
    paths: given([
      ...[config, tlsCert, tlsKey, natsCreds, natsCa],
      ...tokens.map(({ file }) => file),
      ...[keptTokenPath(env), teamTokensPath(env), runtimeRoot],
    ]),
    logs: given([audit, journal, logFile, ...Object.values(consoles).map(({ log }) => log?.file)]),
    names: [defaultConfigPath],
  };
}
