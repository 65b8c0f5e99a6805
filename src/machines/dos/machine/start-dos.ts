import { dirname } from 'node:path';
import { coprocessorOf } from '../../../chips/x86/models.ts';
import { openConsolePort } from '../../../console/open-console-port.ts';
import { advice, call, MachineError } from '../../../machine/errors.ts';
import type { Host } from '../../../machine/host.ts';
import { NameFiles } from '../../shared/name-files.ts';
import { reportStops } from '../../shared/report-stops.ts';
import { nextTurn } from '../../shared/time-slice.ts';
import { DosSystem } from '../board/dos-system.ts';
import { blasterVariable, type SoundCard } from '../board/sound-cards.ts';
import { DosCallLog } from '../debug/dos-call-log.ts';
import { type DosOptions, dosOptions } from '../dos-options.ts';
import type { Drive } from '../drives/drive.ts';
import type { Disk } from '../drives/fat/disk.ts';
import { type OpenedDrive, openDrive } from '../drives/open-drive.ts';
import { TreeDrive } from '../drives/tree-drive.ts';
import { emptySource } from '../drives/tree-source.ts';
import { commandDrive } from '../shell/command-drive.ts';
import { letterOf, openDiscs, wantedDiscs } from './cd-slots.ts';
import { DosMachine } from './dos-machine.ts';
import { notStarted } from './dos-program.ts';
import type { DosOrigin } from './dos-snapshots.ts';
import { MidiFile } from './midi-file.ts';
import { PrinterFile } from './printer-file.ts';
import { dosPathOf, isDosPath } from './program-place.ts';
import { SoundMixer } from './sound-mixer.ts';
import { UartLink } from './uart-link.ts';

const ringBytes = 10 * 1024 * 1024;
/** Frames in which our DOS has come to its prompt, or another one most of the way. */
const bootFrames = 70;
const driveC = 2;
const firstHardDisk = 0x80;

export async function startDos(options: DosOptions, host: Host): Promise<DosMachine> {
  const { program: given } = options;
  const sound = soundCard(options);
  // A program that is named as DOS does lies on a drive, wherever that comes from.
  const program = given === undefined || isDosPath(given) ? undefined : await host.files.resolve(given, 'read');
  const shelves = await openShelves(options, program, host);
  const { drives, disks } = shelves;
  const cds = wantedDiscs(options.cdrom, options.hard_disk !== undefined);
  const discs = await openDiscs(host, cds.paths);
  const bootFrom = bootDrive(options, disks);
  const command = given && (program === undefined ? given : dosPathOf(program, options.folder, drives.get(driveC)));
  // That may have been a large folder.
  await nextTurn();
  const lines = ([0, 1] as const).map(
    (port) =>
      new UartLink(
        `COM${port + 1}`,
        () => (machine.control.isRewinding ? 0 : system.board.serial[port].room),
        (bytes) => machine.control.input({ type: 'serial', port, bytes }),
      ),
  );
  const printer = options.printer === undefined ? undefined : await PrinterFile.open(options.printer, host);
  const midi = options.midi === undefined ? undefined : await MidiFile.open(options.midi, host);
  const mixer = new SoundMixer();
  let callLog: DosCallLog | undefined;
  const system = new DosSystem(
    {
      model: options.cpu,
      instructionsPerSecond: options.speed,
      extendedKilobytes: options.memory,
      date: calendar(options.date),
      sink: mixer,
      serialMouse: options.mouse === 'serial',
      coprocessor: options.coprocessor === 'auto',
      sound,
      cdLetters: cds.letters,
      drives,
      disks,
      bootFrom,
      commands: [...options.commands, ...(command === undefined ? [] : commandsFor(command, options.arguments))],
      interactive: true,
      upperMemory: options.umb,
      config: obeysConfig(options),
      environment: [`COMSPEC=${commandDrive.path}`, 'PATH=Z:\\;C:\\', 'PROMPT=$P$G', ...blasterVariable(sound)],
    },
    {
      serial: (port, byte) => {
        if (!machine.control.isRewinding) lines[port]?.transmitted(byte);
      },
      print: (byte) => {
        if (!machine.control.isRewinding) printer?.print(byte);
      },
      midi: (byte) => {
        if (!machine.control.isRewinding) midi?.play(byte, system.board.instructions / options.speed);
      },
      called: (number, kind) => callLog?.called(number, kind, machine.control.isRewinding),
    },
  );
  callLog = new DosCallLog(system.board.cpu, system, system.guest);
  system.board.loops.calls = callLog.tally;
  // Each of the two fills all memory there is.
  await nextTurn();
  const origin = originOf(options, program, drives.get(driveC), cds.letters);
  const machine = new DosMachine({ system, callLog, names: NameFiles.of(host), mixer, host, origin });
  machine.media.begin(discs, cds.paths);
  const consoles = options.mouse === 'serial' ? lines.slice(0, 1) : lines;
  machine.addPorts(await Promise.all(consoles.map((line, port) => openPort(line, port, host))));
  const pump = setInterval(() => {
    for (const line of lines) {
      guarded(host, () => line.pump());
      const lost = line.takeLost();
      if (lost > 0)
        host.report({
          type: 'output_lost',
          text: `${line.link.target}: ${lost} bytes were lost because nobody read them`,
        });
    }
    printer?.flush();
    midi?.flush();
  }, 20);
  const giveBack = () => {
    clearInterval(pump);
    guarded(host, () => shelves.close());
    guarded(host, () => machine.media.close());
    void printer?.close();
    void midi?.close();
  };
  host.signal.addEventListener('abort', giveBack, { once: true });
  reportStops(machine.control, host);
  machine.control.onBug = (error) => host.log('error', `the machine stopped: ${textOf(error)}`);
  machine.introduce(
    `${options.cpu}${coprocessorName(options)}, ${options.speed.toLocaleString('en-US')} instructions a second; C: is ${driveName(options, program)}.`,
  );
  if (options.run_to_prompt) {
    await boot(machine, system, command, host).catch(async (error: unknown) => {
      host.signal.removeEventListener('abort', giveBack);
      giveBack();
      await machine[Symbol.asyncDispose]();
      throw error;
    });
  }
  if (options.clock !== 'stepped') machine.control.runAlways(options.clock);
  return machine;
}

function soundCard({ sound }: DosOptions): SoundCard {
  if (sound !== 'gravis') return sound;
  throw new MachineError(
    'INVALID_ARGUMENT',
    'A Gravis Ultrasound is not emulated.',
    'Choose "sb16" and that card in the setup of the program.',
  );
}

/** What is drive C:. */
const folderOf = ({ folder }: DosOptions, program: string | undefined) =>
  folder ?? (program === undefined ? undefined : dirname(program));
const obeysConfig = ({ config_sys, folder }: DosOptions) => config_sys ?? folder !== undefined;

const contentOptions = ['program', 'arguments', 'folder', 'write', 'floppy', 'hard_disk', 'boot', 'commands'] as const;

function originOf(
  options: DosOptions,
  program: string | undefined,
  c: Drive | undefined,
  cdLetters: readonly number[],
): DosOrigin {
  const { cpu, coprocessor, speed, memory, umb, date, mouse, sound } = options;
  const cdrom = cdLetters.map((letter) => `empty ${letterOf(letter)}:`);
  const traits = { cpu, coprocessor, speed, memory, umb, date, mouse, sound, cdrom, config_sys: obeysConfig(options) };
  const started = { ...traits, run_to_prompt: false };
  const folder = folderOf(options, program);
  const none = { program: undefined, floppy: undefined, hard_disk: undefined, printer: undefined, midi: undefined };
  const usual: Partial<DosOptions> = dosOptions.parse({});
  const given = contentOptions.filter((name) => JSON.stringify(options[name]) !== JSON.stringify(usual[name]));
  return {
    options: started,
    // The drives of images are in the snapshot; what is on others stays where it is.
    fork: {
      ...none,
      ...started,
      folder: c?.kind === 'image' ? undefined : folder,
      boot: 'dos',
      commands: [],
      arguments: '',
    },
    ownContent: given,
  };
}

/** To the prompt or into the program. A program that DOS cannot start is a machine that nobody asked for. */
async function boot(machine: DosMachine, { shell }: DosSystem, program: string | undefined, host: Host): Promise<void> {
  let problem: string | undefined;
  shell.onCommand = (command, why) => {
    if (program !== undefined && command.startsWith(program)) problem ??= why;
  };
  await machine.control.run({ frames: bootFrames, wallMs: 20_000 }, host.signal);
  shell.onCommand = undefined;
  if (program !== undefined && problem !== undefined) throw notStarted(program, problem);
}

/** Nobody waits for what a timer does: what goes wrong there is logged. */
function guarded(host: Host, act: () => void): void {
  try {
    act();
  } catch (error) {
    host.log('error', textOf(error));
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

interface Shelves {
  readonly drives: Map<number, Drive>;
  readonly disks: Map<number, Disk>;
  /** Gives back what write-through holds open. */
  close(): void;
}

async function openShelves(options: DosOptions, program: string | undefined, host: Host): Promise<Shelves> {
  const folder = folderOf(options, program);
  const drives = new Map<number, Drive>();
  const disks = new Map<number, Disk>();
  const opened: OpenedDrive[] = [];
  const open = async (given: string) => {
    const drive = await openDrive(host.files, given, { writeThrough: options.write });
    opened.push(drive);
    return drive;
  };
  const wanted = [
    { letter: driveC, disk: firstHardDisk + 1, given: folder },
    { letter: 0, disk: 0, given: options.floppy },
    { letter: driveC + 1, disk: firstHardDisk, given: options.hard_disk },
  ];
  for (const { letter, disk, given } of wanted) {
    if (given === undefined) continue;
    const found = await open(given);
    if (found.disk) disks.set(disk, found.disk);
    if (found.drives[0]) drives.set(letter, found.drives[0]);
  }
  if (!drives.has(driveC)) drives.set(driveC, new TreeDrive(emptySource('folder')));
  return {
    drives,
    disks,
    close() {
      for (const each of opened) each.close();
    },
  };
}

/** The disk to boot from; none for our own DOS. */
function bootDrive({ boot, program, commands }: DosOptions, disks: ReadonlyMap<number, Disk>): number | undefined {
  if (boot === 'dos') return undefined;
  if (program !== undefined || commands.length > 0) {
    throw new MachineError(
      'INVALID_ARGUMENT',
      `The built-in DOS starts programs and commands; with "boot":"${boot}" another system runs.`,
      [advice`Leave out "boot".`, advice`Leave out "program" and "commands" and type them with ${call('input_send')}.`],
    );
  }
  const number = boot === 'floppy' ? 0 : firstHardDisk;
  if (disks.has(number)) return number;
  const option = boot === 'floppy' ? 'floppy' : 'hard_disk';
  throw new MachineError('INVALID_ARGUMENT', `There is no ${boot} to boot from.`, `Give its image in "${option}".`);
}

async function openPort(line: UartLink, port: number, host: Host) {
  return openConsolePort({
    name: port === 0 ? host.handle : `${host.handle}.com${port + 1}`,
    link: line.link,
    host,
    ringBytes,
    historyLines: 60,
    writePolicy: 'allow',
    filter: false,
    columns: 80,
    rows: 24,
    serialLinks: false,
  });
}

/** Programs find their files in the current directory: a person would go there first. */
function commandsFor(path: string, args: string): readonly string[] {
  const [, drive = '', folder = ''] = /^([a-z]:)(.*)\\[^\\]*$/i.exec(path) ?? [];
  return [drive, ...(folder === '' ? [] : [`CD ${folder}`]), `${path}${args && ` ${args}`}`];
}

function calendar(text: string) {
  const [, year = 1994, month = 1, day = 1, hour = 0, minute = 0, second = 0] =
    /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text)?.map(Number) ?? [];
  const number = (value: number) => (Number.isNaN(value) ? 0 : value);
  return { year, month, day, hour: number(hour), minute: number(minute), second: number(second) };
}

function coprocessorName({ cpu, coprocessor }: DosOptions): string {
  return coprocessor === 'none' ? '' : ` with ${coprocessorOf(cpu)}`;
}

function driveName(options: DosOptions, program: string | undefined): string {
  const place = folderOf(options, program);
  if (place === undefined) return 'empty';
  return `${place}${options.write ? ', written through' : '; what is written to it stays in memory'}`;
}
