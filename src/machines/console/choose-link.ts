import { resolve } from 'node:path';
import type { ByteLink, LineSettings } from '../../links/byte-link.ts';
import { commandLink } from '../../links/serial/command-link.ts';
import { deviceLink } from '../../links/serial/device-link.ts';
import { ptyCommand } from '../../links/serial/pty-command.ts';
import { readyLink } from '../../links/serial/ready-link.ts';
import { rfc2217Link } from '../../links/serial/rfc2217.ts';
import { tcpLink } from '../../links/serial/tcp-link.ts';
import { telnetLink } from '../../links/serial/telnet.ts';
import { unixLink } from '../../links/serial/unix-link.ts';
import { MachineError } from '../../machine/errors.ts';
import type { Host } from '../../machine/host.ts';
import { type PresetCommand, presetCommand } from './command-presets.ts';
import type { ConsoleOptions } from './console-options.ts';
import { leased, leaseOf } from './leased-link.ts';
import { placesOf, plainHost, remotePort, tcpPlaces } from './places.ts';
import { allowedDevice } from './serial-device.ts';

/** The wire that the options name; exactly one of TCP, unix socket, device, command, preset. */
export async function chooseLink(options: ConsoleOptions, host: Host): Promise<ByteLink> {
  try {
    requireOneWire(options);
    const command = commandOf(options, host);
    await claimPlaces(placesOf(options, command), host);
    const link = command ? runs(command, host) : await wireOf(options, host);
    const { leases } = host.settings;
    const what = leases && (await leaseOf(options, leases.isFleet));
    return what === undefined || !leases ? link : leased(link, what, leases);
  } catch (error) {
    // Links refuse arguments that make no sense with this error; its text is meant for people.
    if (error instanceof RangeError) throw invalid(`${error.message}.`, 'Correct the option and start again.');
    throw error;
  }
}

function requireOneWire({ socket, device, command, preset, telnet, rfc2217, pty, parameters }: ConsoleOptions): void {
  const named = Object.entries({ socket, device, command, preset }).flatMap(([name, value]) => (value ? [name] : []));
  if (named.length > 1) {
    throw invalid(`${named.join(' and ')} cannot both be the console.`, 'Give one of them, or none for TCP.');
  }
  const [wire = 'TCP'] = named;
  if (telnet && wire !== 'TCP' && wire !== 'socket') {
    throw invalid('telnet goes with TCP and unix sockets only.', 'Leave telnet out.');
  }
  if (rfc2217 && wire !== 'TCP') throw invalid('rfc2217 goes with TCP only.', 'Leave rfc2217 out.');
  if (rfc2217 && telnet) throw invalid('rfc2217 is telnet already.', 'Leave telnet out.');
  if (pty && wire !== 'command') throw invalid('pty goes with command only.', 'Leave pty out.');
  if (parameters && wire !== 'preset') throw invalid('parameters go with preset only.', 'Leave parameters out.');
}

function commandOf(options: ConsoleOptions, host: Host): PresetCommand | undefined {
  const { command, preset, parameters = {}, pty } = options;
  if (preset !== undefined) return presetCommand(preset, parameters, host.policy.consoleCommands);
  if (command === undefined) return undefined;
  if (!host.kept && !host.settings.allowCommands) {
    throw new MachineError(
      'DENIED',
      'This server does not let agents run programs on the host.',
      'The user can start it with --allow-commands. A console that is already there needs host and port, socket or device.',
      { operator_option: '--allow-commands' },
    );
  }
  return { argv: command, pty };
}

async function claimPlaces(places: Promise<readonly string[]>, host: Host): Promise<void> {
  if (host.kept) await host.settings.keptPlaces?.claim(host.handle, places);
  else await refuseKept(await places, host);
}

/** What the configuration has named is its own: under another name its rules would not hold. */
async function refuseKept(places: readonly string[], { settings: { keptPlaces } }: Host): Promise<void> {
  const owner = await keptPlaces?.ownerOf(places);
  if (owner === undefined) return;
  throw new MachineError(
    'NAME_TAKEN',
    `That is the console ${owner}, which the user's configuration keeps.`,
    `Use it as it is: {"machine":"${owner}"}.`,
    { machine: owner },
  );
}

function runs({ argv, pty, ready }: PresetCommand, host: Host): ByteLink {
  const guard = (pid: number) => host.guardProcessGroup(pid);
  const link = commandLink({
    ...(pty ? ptyCommand(argv) : { command: argv }),
    name: argv,
    guard,
    // A console that is kept comes back; any other has ended with its command.
    comesBack: host.kept !== undefined,
  });
  return ready === undefined ? link : readyLink(link, ready);
}

async function wireOf(options: ConsoleOptions, host: Host): Promise<ByteLink> {
  const { socket, device } = options;
  const wanted = lineSettings(options);
  if (device !== undefined) {
    const remote = remotePort(device);
    if (remote) return rfc2217Link(await tcpWire(remote, host), wanted);
    const path = host.kept ? device : resolve(device);
    if (host.kept) return deviceLink({ path, ...wanted });
    const looked = () => allowedDevice(path, host.policy.devices);
    await looked();
    return deviceLink({ path, looked, ...wanted });
  }
  if (socket !== undefined) {
    const path = host.kept ? socket : await host.files.resolve(socket, 'write');
    const check = async () => {
      const now = await host.files.resolve(path, 'write');
      if (now !== path) throw new Error(`${path} leads to ${now} by now`);
    };
    const wire = await checked(unixLink({ path }), check, host);
    return options.telnet ? telnetLink(wire) : wire;
  }
  const wire = await tcpWire(options, host);
  if (options.rfc2217) return rfc2217Link(wire, wanted);
  return options.telnet ? telnetLink(wire) : wire;
}

/** Looked at before anything is opened, and again at each attempt: by then a link may lead elsewhere. */
async function checked(link: ByteLink, check: () => Promise<void>, host: Host): Promise<ByteLink> {
  if (host.kept) return link;
  await check();
  return {
    ...link,
    async open(signal) {
      await check();
      return link.open(signal);
    },
  };
}

/** Refused at once where it is not allowed, and asked again at each attempt: by then a name may lead elsewhere. */
async function tcpWire({ host: name, port }: { host: string; port: number }, host: Host): Promise<ByteLink> {
  if (host.kept) {
    const claimed = async (asked: string) => {
      await host.settings.keptPlaces?.claim(host.handle, tcpPlaces(asked, port));
      return asked;
    };
    return tcpLink({ host: name, port, allowed: claimed });
  }
  const allowed = async (asked: string) => {
    const address = await host.policy.tcpHost(asked, port);
    await refuseKept(await tcpPlaces(address, port), host);
    return address;
  };
  const link = tcpLink({ host: name, port, allowed });
  await allowed(plainHost(name));
  return link;
}

function lineSettings(options: ConsoleOptions): Partial<LineSettings> {
  const { baud_rate, data_bits, stop_bits, parity, flow_control } = options;
  return {
    ...(baud_rate !== undefined && { baudRate: baud_rate }),
    ...(data_bits !== undefined && { dataBits: data_bits }),
    ...(stop_bits !== undefined && { stopBits: stop_bits }),
    ...(parity !== undefined && { parity }),
    ...(flow_control !== undefined && { flowControl: flow_control }),
  };
}

function invalid(message: string, fix: string): MachineError {
  return new MachineError('INVALID_ARGUMENT', message, fix);
}
