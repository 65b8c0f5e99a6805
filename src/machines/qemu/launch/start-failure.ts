import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { MachineError } from '../../../machine/errors.ts';

const run = promisify(execFile);

interface Advice {
  readonly pattern: RegExp;
  readonly fix: string;
  /** The argument of QEMU that lists what there is. */
  readonly list?: readonly string[];
}

const advices: readonly Advice[] = [
  { pattern: /unsupported machine type|no machine specified/i, fix: 'Machines', list: ['-machine', 'help'] },
  {
    pattern: /unable to find CPU model|cpu model .* (?:not found|unknown)/i,
    fix: 'Processors',
    list: ['-cpu', 'help'],
  },
  {
    pattern: /is not a valid device model name/i,
    fix: 'Use the name of a device: monitor_execute "hmp" "info qtree" shows those of a running machine; "gpu" and "nic" take device names.',
  },
  {
    pattern:
      /could not load (?:kernel|initrd)|initrd|invalid (?:kernel|ELF)|could not open kernel|error loading uncompressed kernel/i,
    fix: 'Check "kernel" and "initrd": the file must be a kernel for this "arch".',
  },
  {
    pattern: /could not load .*bios|could not (?:find|load) ROM|firmware/i,
    fix: 'Check "bios", or leave it out for the firmware of QEMU.',
  },
  { pattern: /kernel image must be specified/i, fix: 'This board boots nothing else: give "kernel".' },
  { pattern: /host forwarding rule/i, fix: 'Another program has that port: choose another one in "forward".' },
  { pattern: /lock/i, fix: 'Another process has the image open: leave "write" out, or stop that process.' },
  {
    pattern: /\/dev\/net\/tun|could not configure|tap/i,
    fix: 'Make the interface first (ip tuntap add dev tap0 mode tap user NAME) and bring it up, or use "network":"user".',
  },
  { pattern: /cannot set up guest memory|cannot allocate memory/i, fix: 'Ask for less "memory".' },
  { pattern: /kvm/i, fix: 'Use "accel":"tcg".' },
  { pattern: /serial/i, fix: 'This board has fewer serial ports: lower "serial_ports".' },
];

const maxListed = 2000;
const versionMark = /-v\d+$/;

/** Why QEMU did not start, in its own words, with what would help. */
export async function startFailure(
  program: string,
  arch: string,
  machine: string | undefined,
  complaints: string,
  how: string,
): Promise<MachineError> {
  const said = complaints
    .split('\n')
    .map((line) => line.replace(/^(?:\S*\/)?qemu-system-\w+: /, '').trim())
    .filter((line) => line !== '' && !/warning:/i.test(line));
  const message = said.length > 0 ? said.slice(-4).join(' ') : `It ${how} without a word.`;
  const advice = advices.find(({ pattern }) => pattern.test(message));
  const fix = advice?.list
    ? `${advice.fix} of qemu-system-${arch}: ${await listed(program, machine, advice.list)}`
    : (advice?.fix ?? 'Correct the options and start again.');
  return new MachineError('EXECUTION_ERROR', `QEMU did not start: ${message}`, fix, {
    complaints: complaints.slice(-2000),
  });
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
  // The versions of a processor are named like it, with their number behind.
  const known = new Set(names);
  const isVersion = (name: string) => versionMark.test(name) && known.has(name.replace(versionMark, ''));
  const text = names.filter((name) => !isVersion(name)).join(', ');
  return text.length > maxListed ? `${text.slice(0, maxListed)} …` : text;
}
