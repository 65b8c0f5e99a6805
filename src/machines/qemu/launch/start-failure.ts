import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ProcessEnd } from '../../../links/tied-process.ts';
import { type Advice, advice, call, type Fix, MachineError } from '../../../machine/errors.ts';
import type { LaunchPlan } from './command-line.ts';
import { multibootAdvice } from './multiboot-header.ts';

const run = promisify(execFile);

type FailedPlan = Pick<LaunchPlan, 'options' | 'launched' | 'board'>;

interface Remedy {
  readonly pattern: RegExp;
  readonly fix: string | readonly Advice[];
  /** The argument of QEMU that lists what there is. */
  readonly list?: readonly string[];
}

const machines = { fix: 'Name one as "machine". Machines', list: ['-machine', 'help'] } as const;
const processors = { fix: 'Name one as "cpu". Processors', list: ['-cpu', 'help'] } as const;

const remedies: readonly Remedy[] = [
  { pattern: /unsupported machine type|no machine specified/i, ...machines },
  { pattern: /unable to find CPU model|cpu model .* (?:not found|unknown)/i, ...processors },
  { pattern: /without any CPU/i, ...machines },
  {
    pattern: /is not a valid device model name/i,
    fix: [
      advice`Use the name of a device; "gpu" and "nic" take device names.`,
      advice`${call('monitor_execute', { language: 'hmp', command: 'info qtree' })} shows those of a running machine.`,
    ],
  },
  {
    pattern: /No '[\w-]+' bus found|Bus '[\w.]+' not found/,
    fix: 'This board has no such bus: leave the device out (with "channels": no channels, with "share": no share), choose another word in "drives", or another "machine".',
  },
  {
    pattern: /machine type does not support if=/,
    fix: 'This board has no place for it: choose another word in "drives", or another "machine".',
  },
  {
    pattern: /block backend provides/,
    fix: 'The image must have exactly the size the board wants: truncate -s BYTES FILE.',
  },
  {
    pattern: /Duplicate ID|duplicate .*name/i,
    fix: 'Choose another "id" in "extra": the machine has that one already.',
  },
  { pattern: /Property '[^']*' not found|no property/i, fix: 'Leave that property out, or correct its name.' },
  {
    pattern:
      /could not load (?:kernel|initrd)|initrd|invalid (?:kernel|ELF)|could not open kernel|error loading uncompressed kernel/i,
    fix: 'Check "kernel" and "initrd": the file must be a kernel for this "arch".',
  },
  { pattern: /kernel image must be specified/i, fix: 'This board boots nothing else: give "kernel".' },
  {
    pattern: /find an available (?:port|address)/i,
    fix: 'All ports from 5900 to 5999 are taken: stop a machine that has "vnc", or leave it out.',
  },
  { pattern: /host forwarding rule/i, fix: 'Another program has that port: choose another one in "forward".' },
  {
    pattern: /Failed to (?:get|lock)[^\n]*lock/i,
    fix: 'Another process has the image open: leave "write" out, or stop that process.',
  },
  {
    pattern: /\/dev\/net\/tun|could not configure|tap/i,
    fix: 'Make the interface first (ip tuntap add dev tap0 mode tap user NAME) and bring it up, or use "network":"user".',
  },
  { pattern: /cannot set up guest memory|cannot allocate memory/i, fix: 'Ask for less "memory".' },
  { pattern: /kvm/i, fix: 'Use "accel":"tcg".' },
  {
    pattern: /serial ports|-serial chardev|operator consoles/i,
    fix: 'This board has fewer serial ports: lower "serial_ports".',
  },
];

const missingFirmware = /(?:could not|unable to) (?:find|load)[^\n]*(?:bios|firmware|ROM)/i;
const noBootNote = /uncompressed kernel without PVH/i;
const maxListed = 2000;
/** Of what it says. */
const maxLine = 400;
const versionMark = /-v\d+$/;

/** Why QEMU did not start, in its own words, with what would help. */
export async function startFailure(
  program: string,
  plan: FailedPlan,
  complaints: string,
  end: ProcessEnd,
): Promise<MachineError> {
  const said = complaints
    .split('\n')
    .map((line) => line.replaceAll(/[^\x20-\x7e]+/g, '?').slice(0, maxLine))
    .map((line) => line.replace(/^(?:\S*\/)?qemu-system-\w+: /, '').trim())
    .filter((line) => line !== '' && !/warning:|^Use -\w+ help/i.test(line));
  const message = said.length > 0 ? said.slice(-4).join(' ') : `It ${end.text} without a word.`;
  const fix = await remedy(program, plan, message, said.length === 0 && end.code === 0);
  return new MachineError('EXECUTION_ERROR', `QEMU did not start: ${message}`, fix, {
    complaints: complaints.slice(-2000),
  });
}

async function remedy(program: string, plan: FailedPlan, message: string, gaveHelp: boolean): Promise<Fix> {
  const { options, launched, board } = plan;
  if (missingFirmware.test(message)) {
    return options.bios === undefined
      ? 'This QEMU came without the firmware of the board: name one in "bios", or install it.'
      : 'Check "bios", or leave it out for the firmware of QEMU.';
  }
  if (noBootNote.test(message) && launched.kernel !== undefined) return multibootAdvice(launched.kernel);
  const found = gaveHelp ? askedForHelp(plan) : remedies.find(({ pattern }) => pattern.test(message));
  if (!found?.list) return found?.fix ?? 'Correct the options and start again.';
  const names = await listed(program, board.machine, found.list);
  return `${found.fix} of qemu-system-${options.arch}: ${names}`;
}

/** QEMU writes a list to its standard output then, and ends well. */
function askedForHelp({ options }: FailedPlan): Omit<Remedy, 'pattern'> {
  if (options.machine === 'help') return machines;
  if (options.cpu === 'help') return processors;
  return { fix: 'One of the options asked QEMU for help: give it a real value.' };
}

/** The names that QEMU knows, the first word of each line. */
async function listed(program: string, machine: string | undefined, list: readonly string[]): Promise<string> {
  const withMachine = list[0] === '-cpu' && machine !== undefined ? ['-machine', machine] : [];
  const { stdout } = await run(program, [...withMachine, ...list], { timeout: 5000 }).catch(() => ({ stdout: '' }));
  const names = stdout
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .flatMap(([first = '', second]) => (/^(?:x86|PowerPC|s390)$/.test(first) ? [second ?? ''] : [first]))
    .filter((name) => /^[\w.+-]+$/.test(name) && name !== 'none');
  // The versions of a processor are named after it, with their number at the end.
  const known = new Set(names);
  const isVersion = (name: string) => versionMark.test(name) && known.has(name.replace(versionMark, ''));
  const text = names.filter((name) => !isVersion(name)).join(', ');
  return text.length > maxListed ? `${text.slice(0, maxListed)} …` : text;
}
