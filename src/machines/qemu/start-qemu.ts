import { delimiter, dirname, join, resolve } from 'node:path';
import { type OpenPort, openConsolePort } from '../../console/open-console-port.ts';
import type { ByteLink } from '../../links/byte-link.ts';
import { MachineError } from '../../machine/errors.ts';
import type { Host } from '../../machine/host.ts';
import { buildCounter } from './counted/build-counter.ts';
import { cloudSeed } from './disk/cloud-seed.ts';
import { prepareDrives } from './disk/prepare-drives.ts';
import { introduce } from './introduce.ts';
import { boardOf } from './launch/board.ts';
import { grantedOptions, initrdArgument, withAllowedPaths } from './launch/boot-files.ts';
import { checkOptions } from './launch/check-options.ts';
import { debugConsoleId, type LaunchPlan, type ReplayPlan } from './launch/command-line.ts';
import { explainedDisk } from './launch/disk-trouble.ts';
import { emulatorFor, ownNameOf } from './launch/emulators.ts';
import { checkExtraArguments } from './launch/extra-arguments.ts';
import { whyNoKvm } from './launch/kvm-probe.ts';
import { QemuLog } from './launch/qemu-log.ts';
import { RuntimePaths } from './launch/runtime-paths.ts';
import { checkTracepoints } from './launch/tracepoints.ts';
import { uefiDrives } from './launch/uefi-firmware.ts';
import { requireUsbDevices } from './launch/usb-arguments.ts';
import { shareLock } from './lock/share-lock.ts';
import { QemuMedia } from './media/qemu-media.ts';
import { OpenedFiles } from './opened-files.ts';
import { QemuEngine } from './qemu-engine.ts';
import { QemuMachine } from './qemu-machine.ts';
import type { QemuOptions } from './qemu-options.ts';
import { QemuSession } from './qemu-session.ts';
import { checkRecording } from './replay.ts';
import { HostCalls } from './semihosting/host-calls.ts';
import { requireOneProcessor } from './semihosting/semihosting-arguments.ts';
import type { BootTimes } from './serial/boot-times.ts';
import { LogWire } from './serial/log-wire.ts';
import { requireSerialPorts } from './serial/serial-ports.ts';
import { SerialWire } from './serial/serial-wire.ts';
import { createStates, QemuSnapshots } from './snapshots/qemu-snapshots.ts';
import { copyStates, openSnapshotFolder, type SnapshotFolder, statesFile } from './snapshots/snapshot-folder.ts';
import { loadKernelNames } from './symbols/kernel-names.ts';

const ringBytes = 10 * 1024 * 1024;

/** Starts a machine: everything is connected before the guest runs its first instruction. */
export async function startQemu(given: QemuOptions, host: Host): Promise<QemuMachine> {
  const files = new OpenedFiles(host);
  try {
    return await startWith(files, given, host);
  } catch (error) {
    files[Symbol.dispose]();
    throw error;
  }
}

async function startWith(files: OpenedFiles, given: QemuOptions, host: Host): Promise<QemuMachine> {
  const folder = await openSnapshotFolder(given, files);
  const wished = folder?.options ?? given;
  const asked = { ...wished, arch: ownNameOf(wished.arch) };
  checkRecording(asked);
  const { environment, qemuFolders = [] } = host.settings;
  const searchPath = [...qemuFolders, environment.PATH ?? process.env.PATH ?? ''].join(delimiter);
  const program = resolve(await emulatorFor(asked.arch, searchPath));
  const { allowCommands } = host.settings;
  const board = boardOf(asked.arch, asked.machine, asked.cpu);
  for (const { network } of [asked, ...asked.further_networks]) requireNetwork(network, host);
  checkExtraArguments(asked.extra, allowCommands);
  checkOptions(asked, board, allowCommands);
  requireUsbDevices(asked.usb, host.policy);
  const { options, modules, granted } = await withAllowedPaths(asked, files);
  // filter-dump stamps packets with a local time that it takes for universal time.
  const env = { PATH: searchPath, TZ: 'UTC' };
  await checkTracepoints(program, options.trace, env);
  const accel = await chooseAccel(options, program, { env, guard: (pid) => host.guardProcessGroup(pid) });
  const unlock = await takeLock(host);
  const paths = await RuntimePaths.create(host.runtimeDir, granted.work_dir).catch(async (error: unknown) => {
    await unlock();
    throw error;
  });
  const log = await QemuLog.open(paths.log, options.log.includes('in_asm'));
  const clear = async () => {
    log.close();
    await paths[Symbol.asyncDispose]();
    files[Symbol.dispose]();
    await unlock();
  };
  try {
    requireLog(log, options.trace);
    const { workDir } = paths;
    const preparing = { board, workDir, files, overlaysFrom: folder?.path };
    const chips = options.uefi ? await uefiDrives(options.arch, preparing) : [];
    const seed = options.cloud_init ? [await cloudSeed(options.cloud_init, host.handle, workDir)] : [];
    const drives = [...chips, ...(await prepareDrives(options.drives, preparing)), ...seed];
    const replay = options.record ? await newRecording(workDir) : undefined;
    if (folder) await copyStates(folder, files, join(workDir, statesFile));
    // A name without a folder must not lead to files that agents may not read.
    const cwd = allowCommands ? undefined : paths.folder;
    const initrd = await initrdArgument(modules, paths);
    const launched = await grantedOptions(options, granted, paths);
    const counter = options.count ? await buildCounter(program, paths, env) : undefined;
    const found = { options, launched, board, drives, paths, files, granted, accel, replay, cwd, initrd };
    const plan = { ...found, logFile: log.path, counter };
    return await powerUp({ program, plan, env, host, folder, log, clear, unlock });
  } catch (error) {
    await clear();
    // A disk that is full, above all.
    throw explainedDisk(error, options.work_dir ?? paths.workDir);
  }
}

function requireNetwork(network: string, { policy: { networks } }: Host): void {
  if (networks.includes(network)) return;
  throw new MachineError(
    'DENIED',
    `This server does not allow the network "${network}" for guests.`,
    `Allowed are: ${networks.join(', ') || 'none'}; the user sets that with --allow-networks.`,
    { networks, operator_option: '--allow-networks' },
  );
}

function requireLog({ path }: QemuLog, traced: readonly string[]): void {
  if (path !== undefined || traced.length === 0) return;
  throw new MachineError(
    'UNAVAILABLE',
    'There is no place for the lines of tracepoints: mkfifo failed in the runtime folder.',
    'Leave "trace" out.',
  );
}

interface PowerUp {
  readonly program: string;
  readonly plan: LaunchPlan;
  readonly env: Readonly<Record<string, string>>;
  readonly host: Host;
  readonly folder: SnapshotFolder | undefined;
  readonly log: QemuLog;
  clear(): Promise<void>;
  /** QEMU holds the lock as long as it runs, its files stay until the machine is stopped. */
  unlock(): Promise<void>;
}

async function powerUp({ program, plan, env, host, folder, log, clear, unlock }: PowerUp): Promise<QemuMachine> {
  const session = new QemuSession();
  let boot: BootTimes | undefined;
  const lines = consoleLines(plan, session, host.handle, () => boot);
  const wires = lines.map(({ wire }) => wire);
  const { log: items, trace, on_reset: onReset } = plan.options;
  const isShown = items.length > 0 || trace.length > 0 || onReset === 'pause';
  const logWire = isShown ? new LogWire('log of QEMU') : undefined;
  if (logWire) log.onBytes((bytes) => logWire.take(bytes));
  if (trace.length > 0) log.onTrace(trace, (line) => boot?.take('trace', Buffer.from(`${line}\n`)));
  const calls = plan.options.semihosting ? new HostCalls((event) => host.report(event)) : undefined;
  const whenOver = () => void unlock();
  const engine = new QemuEngine(plan, { program, host, session, env, wires, log, logWire, calls, whenOver });
  boot = engine.boot;
  await engine.powerOn(host.signal);
  const ports: OpenPort[] = [];
  try {
    for (const { name, wire } of lines) ports.push(await openPort(name, wire.link, plan.options.write_policy, host));
    if (logWire) ports.push(await openPort(`${host.handle}.log`, logWire.link, 'deny', host));
    if (calls) ports.push(await openPort(`${host.handle}.semihosting`, calls.wire.link, 'deny', host));
    const { options, board, paths, drives } = plan;
    if (calls) requireOneProcessor(engine);
    await requireSerialPorts(session, options.serial_ports);
    const media = new QemuMedia(drives, {
      session,
      paths,
      board,
      hotplugSlots: options.hotplug_slots,
      files: plan.files,
      nodes: engine.blockNodes,
    });
    const snapshots = new QemuSnapshots(engine, media, folder?.content.snapshots ?? []);
    if (folder) await snapshots.load(folder.record, folder.content.qemu);
    const names = await loadKernelNames(options.kernel, host.files, engine.debugger.symbols);
    const introduction = [...(await introduce(engine, ports)), ...names];
    const machine = new QemuMachine({ engine, ports, log, media, snapshots, host, introduction, clear });
    if (!options.paused && folder?.record.running !== false) await engine.debugger.release();
    return machine;
  } catch (error) {
    await engine.powerOff(0);
    for (const port of ports) await port.close();
    throw error;
  }
}

async function takeLock({ settings: { lock }, handle, runtimeDir }: Host): Promise<() => Promise<void>> {
  if (lock === undefined) return async () => {};
  return shareLock(lock, { owner: `frontpanel, machine ${handle}`, folder: dirname(runtimeDir) });
}

/** The image that holds the first state has to be there before QEMU. */
async function newRecording(workDir: string): Promise<ReplayPlan> {
  const stateFile = join(workDir, statesFile);
  await createStates(stateFile);
  return { mode: 'record', logFile: join(workDir, 'recording'), stateFile };
}

function consoleLines(
  { options, paths }: LaunchPlan,
  session: QemuSession,
  handle: string,
  boot: () => BootTimes | undefined,
) {
  const serial = Array.from({ length: options.serial_ports }, (_, port) => ({
    name: port === 0 ? handle : `${handle}.serial${port}`,
    target: `serial port ${port}`,
    path: paths.serial(port),
    id: `ser${port}`,
  }));
  const channels = options.channels.map((name, index) => ({
    name: `${handle}.${name}`,
    target: `channel ${name}`,
    path: paths.channel(index),
    id: `chan${index}`,
  }));
  const debug = options.debug_console
    ? [{ name: `${handle}.debug`, target: 'debug console', path: paths.debugConsole, id: debugConsoleId }]
    : [];
  return [...serial, ...channels, ...debug].map(({ name, target, path, id }) => {
    const sendBreak = async () => {
      await session.execute('chardev-send-break', { id });
    };
    const heard = (bytes: Uint8Array) => boot()?.take(name, bytes);
    const answered = () => boot()?.answered(name);
    return { name, wire: new SerialWire(path, target, sendBreak, { heard, answered }) };
  });
}

function openPort(
  name: string,
  link: ByteLink,
  writePolicy: QemuOptions['write_policy'],
  host: Host,
): Promise<OpenPort> {
  return openConsolePort({
    name,
    link,
    host,
    ringBytes,
    historyLines: 60,
    writePolicy,
    filter: false,
    columns: 80,
    rows: 24,
    serialLinks: host.settings.serialLinks,
  });
}

async function chooseAccel(
  { accel, arch, record, semihosting, count }: QemuOptions,
  program: string,
  how: Parameters<typeof whyNoKvm>[2],
): Promise<'tcg' | 'kvm'> {
  if (accel === 'tcg') return 'tcg';
  const needsSoftware = record ? 'a recording' : semihosting ? 'semihosting' : count ? 'counting' : undefined;
  const why = needsSoftware ? `${needsSoftware} needs software emulation` : await whyNoKvm(program, arch, how);
  if (why === undefined) return 'kvm';
  if (accel === 'auto') return 'tcg';
  throw new MachineError('UNAVAILABLE', `KVM cannot be used: ${why}.`, 'Use "accel":"tcg" or "auto".');
}
