import type { Caller, ToolHost } from '../api/tool-host.ts';
import { MachineError } from '../machine/errors.ts';
import { adviceIn } from './advice-names.ts';
import type { Dialect } from './dialect.ts';
import type { DialectValues } from './dialect-option.ts';
import { controlTools } from './spice86/control-tools.ts';
import { adviceNames } from './spice86/dos-machine.ts';
import { inputTools } from './spice86/input-tools.ts';
import { laterTools } from './spice86/later-tools.ts';
import { seedTools } from './spice86/seed-tools.ts';
import { soundTools } from './spice86/sound-tools.ts';
import { systemTools } from './spice86/system-tools.ts';
import { videoTools } from './spice86/video-tools.ts';

function spice86With(cfgCpu: boolean): Dialect {
  return {
    name: 'spice86',
    instructions:
      'A DOS program in an emulator, loaded and running when you connect. read_cpu_registers, read_memory, ' +
      'list_functions and read_cfg_cpu_graph look at it; each holds it still for the moment of the look.',
    notes: [
      'The program is named with `--exe FILE`; it is loaded and running when the client connects.',
      '`read_cfg_cpu_graph` is refused without `--cfg-cpu`, as by the original; our graph is always there, and the flag only opens it here.',
      'The first four tools are exactly those of the original’s description. The others are all names of its later versions, with its parameters; their results are ours. `read_memory` takes its first form, with a linear address, and the later one, with segment and offset; `read_cfg_cpu_graph` lists blocks only with `nodeLimit`.',
      '`hasOverride` is always false: programs have no parts replaced by native code here. Functions without a name are `unknown`.',
      '`lastExecutedAddress` is where the processor stands while the last executed instruction is not known: right after a state was restored.',
      '`step` and `step_over` answer with where the program stands; `step_over` finds the next address itself.',
      'What reads a device changes nothing in it, but for `read_io_port`, which does all that IN does. What writes one pauses a running emulator for the moment, as the original does, and can be stepped back over; `step` and `step_over` need a paused one.',
      'MIDI goes through ports 330h and 331h: without an MPU-401 there, `read_midi_state` says so and the others are refused.',
      '`dos_set_current_directory` cannot look into drives whose driver the guest brought.',
    ],
    tools: [
      ...seedTools(cfgCpu),
      ...laterTools,
      ...controlTools,
      ...inputTools,
      ...soundTools,
      ...videoTools,
      ...systemTools,
    ],
    advice: adviceNames,
    configured: (values) => spice86With(values['cfg-cpu'] === true),
    prepare: startProgram,
  };
}

/** The operator named it on the command line, so it is there before the first client. */
async function startProgram(host: ToolHost, { exe: program }: DialectValues): Promise<void> {
  if (typeof program !== 'string') return;
  const operator: Caller = {
    client: 'operator',
    role: 'own',
    signal: new AbortController().signal,
    progress: () => {},
  };
  const wanted = { kind: 'dos', options: { program, clock: 'real' } };
  const outcome = await host.call('machine_start', wanted, operator);
  if (outcome.type !== 'error') return;
  const { type, message, data } = outcome.error;
  const fix = adviceIn(adviceNames, outcome.error);
  throw new MachineError(type, `--exe ${program}: ${message}`, fix, data, { cause: outcome.error });
}

/** The surface of Spice86, the DOS emulator with a control-flow graph. */
export const spice86: Dialect = spice86With(false);
