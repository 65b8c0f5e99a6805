import { BinmonClient } from '../../../links/vice/binmon-client.ts';
import { TextMonitor } from '../../../links/vice/text-monitor.ts';
import { commands } from '../../../links/vice/wire.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { Host } from '../../../machine/host.ts';
import { ViceFolder } from './launch/vice-folder.ts';
import { requireVersion } from './require-version.ts';
import type { ViceOptions } from './vice-kind.ts';
import { ViceMachine } from './vice-machine.ts';
import { viceModel } from './vice-models.ts';
import { ViceSession } from './vice-session.ts';

const connectMs = 10_000;

/** A VICE that somebody else has started. It goes on as it was when we leave. */
export async function attachVice(options: ViceOptions, place: string, host: Host): Promise<ViceMachine> {
  const model = viceModel(options.program, options.video);
  const signal = AbortSignal.any([host.signal, AbortSignal.timeout(connectMs)]);
  const binmon = await connected(place, host, (address, port) => BinmonClient.open(address, port, signal));
  const session = await textOf(options, host, signal).then(
    (monitor) => new ViceSession(binmon, monitor, model),
    (error: unknown) => {
      binmon.close();
      throw error;
    },
  );
  // One on this computer sees the same files.
  const places = { binary: place, text: options.text_monitor ?? place };
  const folder = isLoopback(place) ? await ViceFolder.create(host.runtimeDir) : undefined;
  try {
    const refuse = (error: unknown): never => {
      throw error instanceof MachineError ? unfit(error, session, places) : error;
    };
    await session.ask(commands.ping, [], connectMs).catch((error: unknown) => {
      throw error instanceof MachineError && error.type === 'UNAVAILABLE' ? silent(place) : refuse(error);
    });
    await session.learn().catch(refuse);
    const version = requireVersion(session);
    const machine = new ViceMachine({
      session,
      model,
      host,
      ...(folder && { folder }),
      introduction: [
        `VICE ${version} at ${place}, identified as a ${model.name} (${model.program}). It is stopped now and continues as before when you stop this machine.`,
        ...(session.text ? [] : ['Without its text monitor, warp, cycle counts and media are unavailable.']),
      ],
      powerOff: async ({ control, breakpoints, twin, joystick }) => {
        if (!session.isOver) {
          const said = (what: string) => (error: unknown) =>
            host.log('error', `${place}: ${what}: ${error instanceof Error ? error.message : String(error)}`);
          if (control.state === 'RUNNING') await control.pause().catch(said('VICE could not be stopped to leave it'));
          await breakpoints.removeAll().catch(said('our breakpoints were left in VICE'));
          await twin?.leave().catch(said('settings of a comparison were left in VICE'));
          await joystick?.leave().catch(said('a joystick of ours is left in VICE'));
          await control.leave().catch(said('VICE may run at another speed'));
          await session.leave().catch(said('VICE may not go on'));
        }
        control.end('it was stopped');
        session.end('it was stopped');
        await folder?.[Symbol.asyncDispose]();
      },
    });
    binmon.onClose((reason) => {
      if (session.wasEnded) return;
      machine.control.end(reason);
      session.end(reason);
      host.report({ type: 'machine_off', text: reason });
    });
    if (options.clock !== 'stepped') await machine.control.runFreely(options.clock);
    return machine;
  } catch (error) {
    session.end('the start has failed');
    await folder?.[Symbol.asyncDispose]();
    throw error;
  }
}

interface Places {
  readonly binary: string;
  readonly text: string;
}

/** Why what is there cannot be used, where there is no machine yet that could be stopped. */
function unfit(error: MachineError, session: ViceSession, { binary, text }: Places): MachineError {
  if (error.type === 'UNAVAILABLE') return session.text?.isOver ? silentText(text) : error;
  if (error.type !== 'WRONG_STATE') return error;
  const why = error.message.replace(/^The machine is off: /, '');
  const fix = 'Check that the addresses are those of the monitors of one VICE, and that it is running.';
  return new MachineError('UNAVAILABLE', `VICE was lost at ${session.isOver ? binary : text}: ${why}`, fix);
}

/** VICE lets a second client connect and never answers it. */
function silent(place: string): MachineError {
  return new MachineError(
    'UNAVAILABLE',
    `What is at ${place} accepts the connection but does not answer.`,
    'A VICE takes one client: close the debugger that is connected to it. If it is waiting in its own monitor window, continue it first.',
  );
}

function silentText(place: string): MachineError {
  return new MachineError(
    'UNAVAILABLE',
    `What is at ${place} accepts the connection but does not answer as VICE's text monitor does.`,
    'Give the address of -remotemonitor as "text_monitor", and close whatever else is connected to it.',
  );
}

function isLoopback(place: string): boolean {
  return /^(?:127\.|localhost:|\[::1\])/.test(place);
}

async function textOf({ text_monitor: place }: ViceOptions, host: Host, signal: AbortSignal) {
  if (place === undefined) return undefined;
  return connected(place, host, (address, port) => TextMonitor.open(address, port, signal));
}

async function connected<T>(
  place: string,
  host: Host,
  open: (address: string, port: number) => Promise<T>,
): Promise<T> {
  const found = /^(.+):([0-9]{1,5})$/.exec(place);
  const port = Number(found?.[2]);
  const name = found?.[1]?.replace(/^\[(.*)\]$/, '$1');
  if (name === undefined || port < 1 || port > 65_535) {
    throw new MachineError('INVALID_ARGUMENT', `${place.slice(0, 80)} is not host:port.`, 'Write 127.0.0.1:6502.');
  }
  const address = await host.policy.tcpHost(name, port);
  try {
    return await open(address, port);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new MachineError(
      'UNAVAILABLE',
      `No VICE answers at ${place}: ${why}.`,
      'Start one with -binarymonitor -binarymonitoraddress ip4://127.0.0.1:6502 (and -remotemonitor for "text_monitor").',
    );
  }
}
