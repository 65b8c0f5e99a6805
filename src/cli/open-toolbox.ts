import { randomBytes } from 'node:crypto';
import type { Rack } from '../rack/rack.ts';
import { Confirmations } from '../tools/confirmations.ts';
import { tools } from '../tools/index.ts';
import { type Elsewhere, Toolbox } from '../tools/toolbox.ts';
import type { Log } from './log.ts';
import type { OptionValues } from './options.ts';

interface Ways {
  readonly rack: Rack;
  readonly log: Log;
  readonly elsewhere?: Elsewhere | undefined;
  /** Where this is one of several toolboxes of a server. */
  readonly partOf?: { readonly firstStill: number };
}

/** Every tool, for the machines of a rack, as the options would have them. */
export function openToolbox(options: OptionValues, { rack, log, elsewhere, partOf }: Ways): Toolbox {
  return new Toolbox(
    tools,
    options.dialect === undefined ? options.toolset : ['all'],
    rack,
    new Confirmations(!options.yes, () => randomBytes(9).toString('base64url')),
    (error, tool) => log('error', `${tool}: ${error instanceof Error ? error.stack : String(error)}`),
    elsewhere,
    partOf,
  );
}
