import type { Recording } from '../debug/recording.ts';
import { nodeOver } from '../disk/block-node.ts';
import type { PreparedDrive } from '../disk/prepare-drives.ts';
import type { OpenedFiles } from '../opened-files.ts';
import type { QemuOptions } from '../qemu-options.ts';
import { semihostingArguments } from '../semihosting/semihosting-arguments.ts';
import { type Board, virtioDevice } from './board.ts';
import type { GrantedPaths } from './boot-files.ts';
import { displayArguments } from './display-arguments.ts';
import { driveArguments, escaped } from './drive-arguments.ts';
import { networkArguments } from './network-arguments.ts';
import type { RuntimePaths } from './runtime-paths.ts';
import { tpmArguments } from './tpm.ts';
import { usbArguments } from './usb-arguments.ts';
import { virtiofsArguments, withSharedMemory } from './virtiofs.ts';

/** Everything the command line depends on, with all paths resolved and allowed. */
export interface LaunchPlan extends CommandPlan {
  readonly files: OpenedFiles;
  readonly granted: GrantedPaths;
  readonly paths: RuntimePaths;
  /** Where QEMU looks for names without a folder. */
  readonly cwd?: string | undefined;
}

interface CommandPlan {
  /** As the machine was asked for. */
  readonly options: QemuOptions;
  /** With the names that QEMU is to open. */
  readonly launched: QemuOptions;
  readonly board: Board;
  readonly drives: readonly PreparedDrive[];
  readonly paths: Pick<
    RuntimePaths,
    'qmp' | 'gdb' | 'serial' | 'channel' | 'debugConsole' | 'tpm' | 'agent' | 'virtiofs' | 'counts'
  >;
  readonly accel: 'tcg' | 'kvm';
  /** Where QEMU writes what it is told to log. */
  readonly logFile?: string | undefined;
  /** As QEMU takes it: one file, or modules of a multiboot kernel. */
  readonly initrd?: string | undefined;
  /** The plugin that counts what runs. */
  readonly counter?: string | undefined;
  /** Recording and replaying of everything that happens. */
  readonly replay?: ReplayPlan | undefined;
}

export interface ReplayPlan {
  readonly mode: 'record' | 'replay';
  /** The one that is replayed. */
  readonly recording?: Recording | undefined;
  readonly logFile: string;
  /** A qcow2 file that takes the states; recordings need one from the start. */
  readonly stateFile: string;
}

export const stateNode = 'states';
export const debugConsoleId = 'dbg0';
export const firstState = 'start';
/** 2^7 ns an instruction: the automatic choice can be ten times slower at the start. */
const instructionShift = 7;
export const nsPerInstruction = 2 ** instructionShift;

export function commandLine(plan: CommandPlan): string[] {
  const { launched: options, board, paths, accel, drives } = plan;
  return [
    '-nodefaults',
    '-no-user-config',
    '-S',
    ...['-display', 'none'],
    ...logArguments(plan),
    ...resetArguments(options),
    // A sound card that somebody adds would look for the sound of this computer, its microphone among it.
    ...['-audiodev', 'none,id=sound'],
    ...['-qmp', `unix:${escaped(paths.qmp)},server=on,wait=off`],
    ...['-gdb', `unix:path=${escaped(paths.gdb)},server=on,wait=off`],
    ...option('-machine', withSharedMemory(board.machine, options)),
    ...option('-cpu', accel === 'kvm' ? (options.cpu ?? 'host') : board.cpu),
    ...['-accel', options.record ? 'tcg,thread=single' : accel],
    ...option('-m', options.memory ?? board.memoryMib),
    ...option('-smp', options.smp),
    ...option('-kernel', options.kernel),
    ...option('-initrd', plan.initrd),
    ...option('-append', options.append),
    ...option('-dtb', options.dtb),
    ...option('-bios', options.bios),
    ...option('-boot', options.boot),
    ...serialArguments(plan),
    ...channelArguments(plan),
    ...debugConsoleArguments(plan),
    ...semihostingArguments(plan.options),
    ...displayArguments(options, board, options.usb.length > 0 || drives.some((drive) => drive.interface === 'usb')),
    ...usbArguments(options.usb),
    ...driveArguments(drives, board),
    ...networkArguments(options, board),
    ...shareArguments(plan),
    ...tpmArguments(options, paths),
    ...slotArguments(options, board),
    ...replayArguments(plan.replay),
    ...counterArguments(plan),
    ...options.extra,
  ];
}

/** Into a pipe of ours. */
function logArguments({ options, logFile }: CommandPlan): string[] {
  if (logFile === undefined) return [];
  const items = logItemsOf(options);
  const traced = options.trace.flatMap((name) => ['-trace', name]);
  return ['-D', logFile, ...(items.length > 0 ? ['-d', items.join(',')] : []), ...traced];
}

/** Of a PC the log says when a triple fault resets it, which nothing else tells. With exceptions it says which were before a reset. */
export function logItemsOf({ arch, log, on_reset: onReset }: Pick<QemuOptions, 'arch' | 'log' | 'on_reset'>): string[] {
  const isPc = arch === 'x86_64' || arch === 'i386';
  const own =
    onReset === 'pause' ? ['int', 'cpu_reset', 'guest_errors'] : isPc || log.includes('int') ? ['cpu_reset'] : [];
  return [...new Set([...own, ...log])];
}

function resetArguments({ on_reset: onReset }: QemuOptions): string[] {
  return onReset === 'pause' ? ['-action', 'reboot=shutdown,shutdown=pause'] : [];
}

function option(name: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [name, `${value}`];
}

function serialArguments({ options, board, paths }: CommandPlan): string[] {
  const args = [];
  for (let port = 0; port < options.serial_ports; port++) {
    args.push('-chardev', `socket,id=ser${port},path=${escaped(paths.serial(port))},server=on,wait=off`);
    const plugged = board.serialPorts !== undefined && port >= board.serialPorts ? 'pci-serial' : board.serialDevice;
    if (plugged === undefined) args.push('-serial', `chardev:ser${port}`);
    else args.push('-device', `${plugged},chardev=ser${port}`);
  }
  return args;
}

function channelArguments({ options, board, paths }: CommandPlan): string[] {
  const channels = options.channels.map((name, index) => ({ id: `chan${index}`, path: paths.channel(index), name }));
  const agent = options.guest_agent ? [{ id: 'agent', path: paths.agent, name: 'org.qemu.guest_agent.0' }] : [];
  const all = [...channels, ...agent];
  if (all.length === 0) return [];
  const args = ['-device', `${virtioDevice(board, 'serial') ?? 'virtio-serial-pci'},id=channels,max_ports=31`];
  for (const [index, { id, path, name }] of all.entries()) {
    args.push('-chardev', `socket,id=${id},path=${escaped(path)},server=on,wait=off`);
    args.push('-device', `virtserialport,bus=channels.0,nr=${index + 1},chardev=${id},name=${name}`);
  }
  return args;
}

function debugConsoleArguments({ options, paths }: CommandPlan): string[] {
  if (!options.debug_console) return [];
  return [
    ...['-chardev', `socket,id=${debugConsoleId},path=${escaped(paths.debugConsole)},server=on,wait=off`],
    ...['-device', `isa-debugcon,iobase=0xe9,chardev=${debugConsoleId}`],
  ];
}

/** What the guest creates gets mapped attributes: it cannot leave links or programs with rights on this computer. */
function shareArguments({ launched, board, paths }: CommandPlan): string[] {
  const { share, share_writable: writable, share_by: by } = launched;
  if (share === undefined) return [];
  if (by === 'virtiofs') return virtiofsArguments(launched, board, paths);
  const access = writable ? 'security_model=mapped-xattr' : 'security_model=none,readonly=on';
  return [
    ...['-fsdev', `local,id=share,path=${escaped(share)},${access}`],
    ...['-device', `${virtioDevice(board, '9p') ?? 'virtio-9p-pci'},fsdev=share,mount_tag=share`],
  ];
}

function slotArguments({ hotplug_slots: slots }: QemuOptions, board: Board): string[] {
  if (board.bus !== 'pcie') return [];
  return Array.from({ length: slots }, (_, slot) => [
    '-device',
    `pcie-root-port,id=slot${slot},chassis=${slot + 1}`,
  ]).flat();
}

function counterArguments({ counter, paths }: CommandPlan): string[] {
  return counter === undefined ? [] : ['-plugin', `${escaped(counter)},counts=${escaped(paths.counts)}`];
}

function replayArguments(replay: ReplayPlan | undefined): string[] {
  if (!replay) return [];
  const { mode, logFile, stateFile } = replay;
  return [
    ...['-blockdev', JSON.stringify(nodeOver(stateNode, null, stateFile))],
    ...['-icount', `shift=${instructionShift},rr=${mode},rrfile=${escaped(logFile)},rrsnapshot=${firstState}`],
  ];
}
