/**
 * An agent at a Linux kernel, as a script: it boots, logs in, captures a ping, fetches the kernel's symbols, breaks in a
 * system call and reads its arguments, takes a picture, saves the machine and goes back. Every step is checked.
 * Run it: npx tsx examples/debug-a-kernel.ts KERNEL INITRD [USER PASSWORD], the initrd with a network driver and a login
 * or a shell on the serial console.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/** How a system call finds its arguments: the register with the saved registers, and where the first two lie there. */
const conventions = {
  aarch64: { entry: '__arm64_sys_sethostname', saved: 'x0', name: 0, length: 8 },
  x86_64: { entry: '__x64_sys_sethostname', saved: 'rdi', name: 112, length: 104 },
} as const;

const newName = 'frontpanel';
const pngSignature = '\x89PNG\r\n\x1a\n';

interface Part {
  readonly type: string;
  readonly text?: string;
  readonly data?: string;
}

/** Throws at the first thing that is not as it should be. */
export async function debugAKernel(
  server: string,
  guest: Readonly<Record<string, unknown>> & { readonly arch: keyof typeof conventions },
  login: { readonly user?: string; readonly password?: string },
  log: (text: string) => void,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'kernel-'));
  const args = [server, '--toolset', 'all', '--allow-path', `${folder},/`, '--yes'];
  const client = new Client({ name: 'debug-a-kernel', version: '1' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
  const parts = async (name: string, given: Record<string, unknown> = {}): Promise<Part[]> => {
    const { content, isError } = await client.callTool({ name, arguments: given }, { timeout: 60_000 });
    const answer = content as Part[];
    const text = answer.map((part) => part.text ?? `[${part.type}]`).join('\n');
    log(`${name} ${JSON.stringify(given)}\n${text.slice(0, 1500)}\n`);
    if (isError) throw new Error(text);
    return answer;
  };
  const call = async (name: string, given: Record<string, unknown> = {}): Promise<string> =>
    (await parts(name, given)).map(({ text = '' }) => text).join('\n');
  const sh = (command: string) => call('console_send', { run: command, timeout_ms: 50_000 });
  const pointer = async (address: bigint) => {
    const dump = await call('memory_read', { address: hex(address), length: 8 });
    const [bytes = ''] = /(?: [0-9A-F]{2}){8}/.exec(dump) ?? [];
    return BigInt(`0x${bytes.trim().split(' ').reverse().join('') || '0'}`);
  };
  try {
    await call('machine_start', { kind: 'qemu', name: 'vm', options: { ...guest, gpu: 'on', network: 'user' } });
    let arrival = '';
    for (let patience = 0; patience < 4 && !arrival.includes('a shell answers'); patience++) {
      arrival = await call('console_login', { ...login, timeout_ms: 50_000 });
    }
    demand('a shell after the login', arrival.includes(`a shell answers as ${login.user ?? 'root'}`));
    demand('Linux', (await sh('uname -s')).includes('Linux'));

    await call('network_capture_start');
    const ping = await sh('ip link set eth0 up; ip addr add 10.0.2.15/24 dev eth0; ping -c 1 10.0.2.2');
    demand('a ping that is answered', ping.includes('exit code 0'));
    await call('network_capture_stop');
    const packets = await call('network_capture_read');
    demand('the request on the wire', packets.includes('10.0.2.15 > 10.0.2.2 ICMP echo request'));
    demand('the reply on the wire', packets.includes('10.0.2.2 > 10.0.2.15 ICMP echo reply'));

    const { entry, saved, name, length } = conventions[guest.arch];
    await sh(`grep ' T __.*_sys_set' /proc/kallsyms > /tmp/symbols`);
    await call('file_get', { from: '/tmp/symbols', path: join(folder, 'kallsyms') });
    await call('symbols_load', { path: join(folder, 'kallsyms') });
    // Running, it could come to the stop before `run` waits for it, which would then run on.
    await call('pause');
    await call('breakpoint_set', { address: entry });
    await call('console_send', { text: `hostname ${newName}`, quiet_ms: 0 });
    const stop = await call('run', { timeout_ms: 20_000 });
    demand('a stop in the system call', stop.includes('BREAKPOINT') && stop.includes(entry));
    const { registers } = JSON.parse((await call('state_read', { format: 'json' })).trim()) as {
      readonly registers: Readonly<Record<string, number | string>>;
    };
    const frame = BigInt(registers[saved] ?? 0);
    demand('the length as second argument', (await pointer(frame + BigInt(length))) === BigInt(newName.length));
    const text = await call('memory_read', {
      address: hex(await pointer(frame + BigInt(name))),
      length: newName.length,
    });
    demand('the name as first argument', text.includes(newName));
    await call('breakpoint_delete', { id: 1 });

    const picture = (await parts('screen_read', { mode: 'image' })).find(({ type }) => type === 'image');
    demand(
      'a picture',
      Buffer.from(picture?.data ?? '', 'base64')
        .toString('latin1')
        .startsWith(pngSignature),
    );

    await call('snapshot_save', { name: 'before' });
    await call('run', { timeout_ms: 500 });
    demand('the new name', (await sh('hostname; touch /tmp/after')).includes(newName));
    await call('pause');
    await call('snapshot_restore', { name: 'before' });
    demand('the system call again', (await call('state_read')).includes(entry));
    await call('run', { timeout_ms: 500 });
    demand('a past without what came after', (await sh('ls /tmp/after')).includes('exit code 1'));
  } finally {
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function demand(what: string, isThere: boolean): void {
  if (!isThere) throw new Error(`there should have been ${what}`);
}

const hex = (address: bigint) => `0x${address.toString(16)}`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [kernel, initrd, user, password] = process.argv.slice(2);
  const arch = process.arch === 'x64' ? 'x86_64' : 'aarch64';
  const tty = arch === 'x86_64' ? 'ttyS0' : 'ttyAMA0';
  const program = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
  const guest = { arch, kernel, initrd, append: `console=${tty},115200 quiet nokaslr` } as const;
  const login = { ...(user !== undefined && { user }), ...(password !== undefined && { password }) };
  await debugAKernel(program, guest, login, console.log);
  console.log('It all works.');
}
