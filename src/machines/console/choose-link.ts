import type { ByteLink } from '../../links/byte-link.ts';
import { commandLink } from '../../links/serial/command-link.ts';
import { deviceLink } from '../../links/serial/device-link.ts';
import { tcpLink } from '../../links/serial/tcp-link.ts';
import { telnetLink } from '../../links/serial/telnet.ts';
import { unixLink } from '../../links/serial/unix-link.ts';
import { MachineError } from '../../machine/errors.ts';
import type { Host } from '../../machine/host.ts';
import type { ConsoleOptions } from './console-options.ts';

/** Names that serial lines have; anything else has to lie below an allowed path. */
const serialDevice =
  /^\/dev\/(tty(S|USB|ACM|AMA|mxc|XR|O|PS|SAC|s)?\d+|tty\.[\w.-]+|cu\.[\w.-]+|pts\/\d+|serial\/by-(id|path)\/[\w.:+-]+)$/;

/** The wire that the options name; exactly one of TCP, unix socket, device, command. */
export async function chooseLink(options: ConsoleOptions, host: Host): Promise<ByteLink> {
  try {
    return await linkOf(options, host);
  } catch (error) {
    // Links refuse arguments that make no sense with this error; its text is meant for people.
    if (error instanceof RangeError) throw invalid(`${error.message}.`, 'Correct the option and start again.');
    throw error;
  }
}

async function linkOf(options: ConsoleOptions, host: Host): Promise<ByteLink> {
  const { socket, device, command, telnet } = options;
  const named = Object.entries({ socket, device, command }).flatMap(([name, value]) => (value ? [name] : []));
  if (named.length > 1) {
    throw invalid(`${named.join(' and ')} cannot both be the console.`, 'Give one of them, or none for TCP.');
  }
  if (telnet && (device !== undefined || command !== undefined)) {
    throw invalid('telnet goes with TCP and unix sockets only.', 'Leave telnet out.');
  }
  if (command !== undefined) {
    if (!host.settings.allowCommands) {
      throw new MachineError(
        'DENIED',
        'This server does not let agents run programs on the host.',
        'The user can start it with --allow-commands. A console that is already there needs host and port, socket or device.',
      );
    }
    return commandLink({ command, guard: (pid) => host.guardProcessGroup(pid) });
  }
  if (device !== undefined) {
    const path = serialDevice.test(device) ? device : await host.allowedPath(device, 'write');
    return deviceLink({
      path,
      baudRate: options.baud_rate,
      dataBits: options.data_bits,
      stopBits: options.stop_bits,
      parity: options.parity,
      flowControl: options.flow_control,
    });
  }
  const wire =
    socket === undefined
      ? tcpLink({ host: options.host, port: options.port })
      : unixLink({ path: await host.allowedPath(socket, 'write') });
  return telnet ? telnetLink(wire) : wire;
}

function invalid(message: string, fix: string): MachineError {
  return new MachineError('INVALID_ARGUMENT', message, fix);
}
