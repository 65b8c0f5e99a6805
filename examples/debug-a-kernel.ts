/**
 * An agent at a Linux kernel, as a script: it boots, runs commands on the serial console, captures a ping, fetches the kernel's
 * symbols, breaks in a system call and reads its arguments, takes a picture, saves the machine and goes back.
 * Run it: npx tsx examples/debug-a-kernel.ts KERNEL INITRD, the initrd ending in a root shell on the serial console.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/** How a system call finds its arguments: the register with the saved registers, and where the second argument lies there. */
const conventions = {
  aarch64: { entry: '__arm64_sys_sethostname', saved: 'x0', second: 8 },
  x86_64: { entry: '__x64_sys_sethostname', saved: 'rdi', second: 104 },
} as const;

const newName = 'frontpanel';

export async function debugAKernel(
  server: string,
  guest: Readonly<Record<string, unknown>> & { readonly arch: keyof typeof conventions },
  log: (text: string) => void,
): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'kernel-'));
  const args = [server, '--toolset', 'all', '--allow-path', `${folder},/`, '--yes'];
  const client = new Client({ name: 'debug-a-kernel', version: '1' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
  const call = async (name: string, given: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: given }, { timeout: 60_000 });
    const parts = content as { type: string; text?: string }[];
    const text = parts.map((part) => part.text ?? `[${part.type}]`).join('\n');
    log(`${name} ${JSON.stringify(given)}\n${text.slice(0, 1500)}\n`);
    if (isError) throw new Error(text);
    return text;
  };
  const sh = (command: string) => call('console_send', { run: command, timeout_ms: 50_000 });
  try {
    await call('machine_start', { kind: 'qemu', name: 'vm', options: { ...guest, gpu: 'on', network: 'user' } });
    for (let patience = 0; patience < 4; patience++) {
      const boot = await call('console_read', { expect: 'GUEST-READY', fail_on: ['Kernel panic'], timeout_ms: 50_000 });
      if (!boot.includes('not seen')) break;
    }
    if (!(await sh('uname -s')).includes('Linux')) return false;

    await call('network_capture_start');
    await sh('ip link set eth0 up; ip addr add 10.0.2.15/24 dev eth0; ping -c 1 10.0.2.2');
    await call('network_capture_stop');
    if (!(await call('network_capture_read')).includes('ICMP echo reply')) return false;

    const { entry, saved, second } = conventions[guest.arch];
    await sh(`grep ' T __.*_sys_set' /proc/kallsyms > /tmp/symbols`);
    await call('file_get', { from: '/tmp/symbols', path: join(folder, 'kallsyms') });
    await call('symbols_load', { path: join(folder, 'kallsyms') });
    await call('breakpoint_set', { address: entry });
    await call('console_send', { text: `hostname ${newName}`, quiet_ms: 0 });
    if (!/BREAKPOINT/.test(await call('run', { timeout_ms: 20_000 }))) return false;
    const registers = JSON.parse((await call('state_read', { format: 'json' })).trim()) as {
      readonly registers: Readonly<Record<string, number | string>>;
    };
    const frame = BigInt(registers.registers[saved] ?? 0);
    const length = await call('memory_read', { address: `0x${(frame + BigInt(second)).toString(16)}`, length: 8 });
    if (!length.includes(` ${newName.length.toString(16).toUpperCase().padStart(2, '0')} 00 00 00`)) return false;
    await call('breakpoint_delete', { id: 1 });

    if (!(await call('screen_read', { mode: 'image' })).includes('[image]')) return false;
    await call('snapshot_save', { name: 'before' });
    await call('run', { timeout_ms: 500 });
    if (!(await sh('hostname')).includes(newName)) return false;
    await call('snapshot_restore', { name: 'before' });
    return /BREAKPOINT|PAUSED|RUNNING/.test(await call('machine_list'));
  } finally {
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [kernel, initrd] = process.argv.slice(2);
  const arch = process.arch === 'x64' ? 'x86_64' : 'aarch64';
  const tty = arch === 'x86_64' ? 'ttyS0' : 'ttyAMA0';
  const program = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
  const guest = { arch, kernel, initrd, append: `console=${tty},115200 quiet nokaslr` } as const;
  const works = await debugAKernel(program, guest, console.log);
  console.log(works ? 'It all works.' : 'Something is not as it should be.');
  process.exitCode = works ? 0 : 1;
}
