import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Requirement {
  readonly command: string;
  readonly package: string;
}

/** Programs that the tests run, as the other side of a console or to make files for us to read, and what Debian calls their packages. */
const requirements: readonly Requirement[] = [
  { command: 'socat', package: 'socat' },
  { command: 'tmux', package: 'tmux' },
  { command: 'ser2net', package: 'ser2net' },
  { command: 'sz', package: 'lrzsz' },
  { command: 'busybox', package: 'busybox-static' },
  { command: 'zsh', package: 'zsh' },
  { command: 'fish', package: 'fish' },
  { command: 'chromium', package: 'chromium' },
  { command: 'qemu-system-x86_64', package: 'qemu-system-x86' },
  { command: 'qemu-system-aarch64', package: 'qemu-system-arm' },
  { command: 'qemu-system-riscv64', package: 'qemu-system-misc' },
  { command: 'qemu-img', package: 'qemu-utils' },
  { command: 'x86_64-linux-gnu-g++', package: 'g++-x86-64-linux-gnu' },
  { command: 'cc', package: 'gcc' },
  { command: '/usr/include/stdint.h', package: 'libc6-dev' },
  { command: '/usr/share/OVMF/OVMF_CODE_4M.fd', package: 'ovmf' },
  { command: 'swtpm', package: 'swtpm' },
  { command: 'tcpdump', package: 'tcpdump' },
  { command: 'ip', package: 'iproute2' },
  { command: 'openssl', package: 'openssl' },
  { command: 'nats-server', package: 'nats-server' },
  { command: 'xkbcli', package: 'libxkbcommon-tools' },
  { command: '/usr/share/X11/xkb/rules/evdev', package: 'xkb-data' },
  { command: 'cpio', package: 'cpio' },
  { command: '/usr/lib/python3/dist-packages/numpy', package: 'python3-numpy' },
  { command: 'acme', package: 'acme' },
  { command: '64tass', package: '64tass' },
  { command: 'ca65', package: 'cc65' },
  { command: 'xa', package: 'xa65' },
  // Knows i386 on every computer, which plain gdb does not.
  { command: 'gdb-multiarch', package: 'gdb-multiarch' },
  { command: '/usr/lib/u-boot/qemu-x86/u-boot.rom', package: 'u-boot-qemu' },
];

/** Installs what is missing, or says what has to be installed by hand. */
export function ensureSystemPackages(): void {
  ensureRequired();
  ensureVice();
}

/** The real VICE is in Debian's contrib section, which not every computer has. Tests that need it are skipped without it. */
function ensureVice(): void {
  if (present('x64sc')) return;
  const skipped = 'tests against a real VICE are skipped';
  if (process.getuid?.() !== 0 || !present('apt-get')) {
    console.warn(`No x64sc: ${skipped}.`);
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'frontpanel-apt-'));
  try {
    const options = sectionsWithContrib(folder);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const apt = (...args: string[]) => spawnSync('apt-get', args, { stdio: 'ignore', env });
    const install = ['install', '-y', '--no-install-recommends', 'vice'];
    if (apt(...install).status !== 0) {
      apt(...options, 'update', '-q');
      apt(...options, ...install);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  if (!present('x64sc')) console.warn(`VICE (Debian's contrib section) could not be installed: ${skipped}.`);
}

/** For this call of apt alone: what the computer gets its packages from stays as it is. */
function sectionsWithContrib(folder: string): string[] {
  const format = ['indextargets', '--format', '$(REPO_URI) $(RELEASE) $(COMPONENT)', 'Identifier: Packages'];
  const main = output('apt-get', ...format)
    .split('\n')
    .filter((line) => line.endsWith(' main'));
  const list = join(folder, 'sources.list');
  writeFileSync(list, main.map((line) => `deb ${line} contrib\n`).join(''));
  const settings = [`Dir::Etc::sourcelist=${list}`, 'Dir::Etc::sourceparts=/dev/null', 'APT::Get::List-Cleanup=0'];
  return settings.flatMap((setting) => ['-o', setting]);
}

function output(program: string, ...args: readonly string[]): string {
  return spawnSync(program, args, { encoding: 'utf8' }).stdout ?? '';
}

function ensureRequired(): void {
  const missing = requirements.filter(({ command }) => !present(command)).map((each) => each.package);
  if (missing.length === 0) return;
  const install = `apt-get install -y --no-install-recommends ${missing.join(' ')}`;
  if (process.getuid?.() !== 0 || !present('apt-get')) {
    console.error(`The tests need ${missing.join(', ')}. As root: ${install}`);
    process.exit(1);
  }
  console.log(`Installing ${missing.join(', ')} …`);
  run('apt-get update -q');
  run(install);
}

function present(command: string): boolean {
  return spawnSync('sh', ['-c', `command -v "$1" || test -e "$1"`, 'sh', command]).status === 0;
}

function run(command: string): void {
  const [program = '', ...args] = command.split(' ');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const done = spawnSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'], env });
  if (done.status === 0) return;
  console.error(`${command} failed`);
  process.exit(1);
}
