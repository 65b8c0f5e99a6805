import { commands, text, u32 } from '../../../links/vice/wire.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { Host } from '../../../machine/host.ts';
import { attachVice } from './attach-vice.ts';
import { findProgram } from './launch/find-program.ts';
import { keepLimits } from './launch/keep-limits.ts';
import { launch, startFailure } from './launch/launch.ts';
import { romArguments } from './launch/rom-arguments.ts';
import { ViceFolder } from './launch/vice-folder.ts';
import { requireVersion } from './require-version.ts';
import type { ViceOptions } from './vice-kind.ts';
import { ViceMachine } from './vice-machine.ts';
import { type ViceModel, viceModel } from './vice-models.ts';
import { longestBootMs } from './vice-program.ts';
import { ViceSession } from './vice-session.ts';

const mostLogBytes = 1024 * 1024;
/** Ten minutes. */
const mostSoundBytes = 64 * 1024 * 1024;
const limitMs = 10_000;

export async function startVice(options: ViceOptions, host: Host): Promise<ViceMachine> {
  if (options.connect !== undefined) return attachVice(options, options.connect, host);
  if (options.text_monitor !== undefined) {
    throw new MachineError('INVALID_ARGUMENT', '"text_monitor" goes with "connect".', 'Leave it out, or give both.');
  }
  const model = viceModel(options.program, options.video);
  const { environment } = host.settings;
  const searchPath = environment.PATH ?? process.env.PATH ?? '';
  const program = await findProgram(options.program, searchPath);
  const display = options.window ? displayOf(environment) : {};
  const folder = await ViceFolder.create(host.runtimeDir);
  try {
    const logFile = folder.fresh('.log');
    const soundFile = folder.fresh('.wav');
    const roms = await romArguments(model, options.roms, host, folder);
    const {
      process,
      binmon,
      text: monitor,
    } = await launch(
      { model, roms: roms.arguments, sound: options.sound, soundFile, window: options.window, logFile },
      {
        program,
        folder,
        env: { PATH: searchPath, HOME: folder.path, LC_ALL: 'C', ...ownPlaces(folder.path), ...display },
        signal: host.signal,
        guard: (pid) => host.guardProcessGroup(pid),
      },
    );
    const session = new ViceSession(binmon, monitor, model);
    const limits = [
      { path: logFile, bytes: mostLogBytes },
      ...(options.sound === 'file' ? [{ path: soundFile, bytes: mostSoundBytes }] : []),
    ];
    const unlimit = keepLimits(folder, limits, host, limitMs);
    const close = async () => {
      unlimit();
      session.end('it was stopped');
      await process.kill();
      await folder[Symbol.asyncDispose]();
    };
    try {
      await session.learn();
      const version = requireVersion(session);
      const machine = new ViceMachine({
        session,
        model,
        host,
        folder,
        ...(options.sound === 'file' && { soundFile }),
        introduction: introduce(model, version, roms.description, options),
        powerOff: async ({ control }) => {
          control.end('it was stopped');
          await close();
        },
      });
      binmon.onClose((reason) => {
        if (session.wasEnded) return;
        void process.endsWithin(500).then(async (hasEnded) => {
          const why = hasEnded ? `VICE ${process.end?.text}` : reason;
          // One that hangs would be left until the machine is stopped.
          if (!hasEnded) await process.kill();
          machine.control.end(why);
          session.end(why);
          host.report({ type: 'machine_off', text: why, data: { code: process.end?.code ?? null } });
        });
      });
      await powerUp(machine, session, model, options, host.signal);
      return machine;
    } catch (error) {
      // Its monitors open before it has looked for its ROMs.
      const hasDied = session.isOver && (await process.endsWithin(500));
      const failure = hasDied ? await startFailure({ model, logFile }, process, folder, host.signal) : error;
      await close();
      throw failure;
    }
  } catch (error) {
    await folder[Symbol.asyncDispose]();
    throw error;
  }
}

/** The same each time: VICE has run on its own until now. */
async function powerUp(
  machine: ViceMachine,
  session: ViceSession,
  { bootFrames }: ViceModel,
  options: ViceOptions,
  signal: AbortSignal,
): Promise<void> {
  // Not known to every version; then memory is as that one leaves it.
  await session.ask(commands.resourceSet, [1, ...text('RAMInitRandomChance'), 4, ...u32(0)]).catch(() => {});
  await machine.control.powerUp();
  if (options.boot) await machine.control.run({ frames: bootFrames, wallMs: longestBootMs }, signal);
  if (options.clock !== 'stepped') await machine.control.runFreely(options.clock);
}

function introduce(model: ViceModel, version: string, roms: string, { window }: ViceOptions): readonly string[] {
  const { program, name, standard, hasStandards, builtIn } = model;
  return [
    `VICE ${version}, ${program}: a ${name}${hasStandards ? `, ${standard.toUpperCase()}` : ''}; ${roms}.`,
    ...(window ? ['Its window is open on the display of this computer.'] : []),
    ...(builtIn ? [`What VICE cannot do, such as going back in time, the built-in ${builtIn} can.`] : []),
  ];
}

/** Nothing of the user's own VICE is read or written. */
function ownPlaces(folder: string): Readonly<Record<string, string>> {
  const names = ['XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_STATE_HOME', 'XDG_DATA_HOME', 'XDG_RUNTIME_DIR', 'TMPDIR'];
  return Object.fromEntries(names.map((name) => [name, folder]));
}

function displayOf(environment: Host['settings']['environment']): Readonly<Record<string, string>> {
  const { DISPLAY, WAYLAND_DISPLAY, XAUTHORITY } = environment;
  if (DISPLAY === undefined && WAYLAND_DISPLAY === undefined) {
    throw new MachineError('UNAVAILABLE', 'This computer has no display for a window.', 'Leave "window" out.');
  }
  return Object.fromEntries(
    Object.entries({ DISPLAY, WAYLAND_DISPLAY, XAUTHORITY }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    ),
  );
}
