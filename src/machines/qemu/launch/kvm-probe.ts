import { access, constants, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownValue } from '../../../formats/own-value.ts';
import { signalGroup } from '../../../links/serial/process-group.ts';
import { type ProcessOptions, startTied } from '../../../links/tied-process.ts';

/** A module can say that KVM is there and then run no guest at all; so one is booted. */
const patienceMs = 2000;
const word = 'KVM-OK';

/** Where KVM is, and how the probe is kept from outliving this process. */
interface ProbeOptions extends Pick<ProcessOptions, 'env' | 'guard'> {
  readonly device?: string;
}

interface Probe {
  readonly hosts: readonly string[];
  readonly image: Uint8Array;
  args(file: string): readonly string[];
}

/** mov dx,3f8h; then each letter: mov al,X; out dx,al; then hlt for ever. */
function bootSector(): Uint8Array {
  const code = [
    0xba,
    0xf8,
    0x03,
    ...[...word].flatMap((letter) => [0xb0, letter.charCodeAt(0), 0xee]),
    0xf4,
    0xeb,
    0xfd,
  ];
  const sector = new Uint8Array(512);
  sector.set(code);
  sector.set([0x55, 0xaa], 510);
  return sector;
}

/** movz x1,#0x900,lsl 16; then each letter: movz w0,#X; strb w0,[x1]; then a loop. */
function armImage(): Uint8Array {
  const letters = [...word].flatMap((letter) => [0x52800000 | (letter.charCodeAt(0) << 5), 0x39000020]);
  const words = Uint32Array.from([0xd2a12001, ...letters, 0x14000000]);
  return new Uint8Array(words.buffer);
}

const x86: Probe = {
  hosts: ['x64', 'ia32'],
  image: bootSector(),
  args: (file) => ['-M', 'pc', '-drive', `if=floppy,format=raw,file=${file}`],
};
const probes: Readonly<Record<string, Probe>> = {
  x86_64: x86,
  i386: x86,
  aarch64: { hosts: ['arm64'], image: armImage(), args: (file) => ['-M', 'virt', '-kernel', file] },
};

const verdicts = new Map<string, Promise<string | undefined>>();

/** Undefined when a guest booted with KVM, else why it cannot be used. Asked once for each program. */
export function whyNoKvm(program: string, arch: string, options: ProbeOptions): Promise<string | undefined> {
  let verdict = verdicts.get(program);
  if (!verdict) {
    verdict = probe(program, arch, options);
    verdicts.set(program, verdict);
  }
  return verdict;
}

async function probe(program: string, arch: string, options: ProbeOptions): Promise<string | undefined> {
  const guest = ownValue(probes, arch);
  if (!guest?.hosts.includes(process.arch)) return `KVM runs guests of this computer's own kind (${process.arch}) only`;
  const { device = '/dev/kvm' } = options;
  const usable = await access(device, constants.R_OK | constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!usable) return `${device} is not there or may not be used`;
  const folder = await mkdtemp(join(tmpdir(), 'kvm-'));
  try {
    const file = join(folder, 'probe');
    await writeFile(file, guest.image);
    const said = await boot(program, ['-accel', 'kvm', '-cpu', 'host', '-m', '32', ...guest.args(file)], options);
    return said.includes(word)
      ? undefined
      : `a guest that was booted with KVM did not get anywhere in ${patienceMs} ms`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function boot(program: string, probeArgs: readonly string[], { env, guard }: ProbeOptions): Promise<string> {
  const args = ['-nodefaults', '-display', 'none', '-no-reboot', '-serial', 'stdio', ...probeArgs];
  const child = await startTied({ program, args, env }, ['ignore', 'pipe', 'ignore']);
  const pid = child.pid ?? 0;
  const forget = guard(pid);
  return new Promise((resolve) => {
    let said = '';
    const timer = setTimeout(() => signalGroup(pid, 'SIGKILL'), patienceMs);
    child.stdout?.setEncoding('latin1').on('data', (text: string) => {
      said += text;
      if (said.includes(word)) signalGroup(pid, 'SIGKILL');
    });
    child.once('close', () => {
      clearTimeout(timer);
      forget();
      resolve(said);
    });
  });
}
