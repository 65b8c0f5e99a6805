import type { ViceModel } from '../vice-models.ts';

/** Everything that decides how VICE is called. */
export interface LaunchPlan {
  readonly model: ViceModel;
  readonly roms: readonly string[];
  readonly sound: 'off' | 'computed' | 'file';
  /** Where sound goes with `file`. */
  readonly soundFile: string;
  readonly window: boolean;
  /** What VICE has to say goes there: it does not write to sockets. */
  readonly logFile: string;
  readonly binmonPort: number;
  readonly textPort: number;
}

/** Start a monitor when the processor jams: without it VICE asks a person, and says nothing to us. */
const jamAction = ['-jamaction', '2'];

export function commandLine({
  model,
  roms,
  sound,
  soundFile,
  window,
  logFile,
  binmonPort,
  textPort,
}: LaunchPlan): readonly string[] {
  return [
    '-default',
    // Has to come early, or VICE looks for a display.
    ...(window ? [] : ['-console']),
    ...['-logfile', logFile],
    ...roms,
    ...(model.hasStandards ? [`-${model.standard}`] : []),
    ...soundArguments(sound, soundFile),
    ...jamAction,
    ...['-binarymonitor', '-binarymonitoraddress', `ip4://127.0.0.1:${binmonPort}`],
    ...['-remotemonitor', '-remotemonitoraddress', `ip4://127.0.0.1:${textPort}`],
  ];
}

function soundArguments(sound: LaunchPlan['sound'], file: string): readonly string[] {
  if (sound === 'off') return ['+sound'];
  // As the device that plays: one that records ends VICE 3.7.1 when it is closed.
  if (sound === 'file')
    return ['-sound', '-sounddev', 'wav', '-soundarg', file, '-soundoutput', '1', '-soundrate', '44100'];
  // A device that is never full: with +sound VICE does not work out what a SID answers.
  return ['-sound', '-sounddev', 'fs', '-soundarg', '/dev/null'];
}
