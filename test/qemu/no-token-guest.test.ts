import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { HttpProgram } from '../support/http-program.ts';
import { modernMeta } from '../support/raw-stdio.ts';
import { Sandbox } from '../support/sandbox.ts';

const patience = { timeout: 60_000, interval: 100 };

/** Firmware that sends a text to the debug port, and halts. */
function firmware(text: string): Uint8Array {
  const image = new Uint8Array(65_536);
  const at = 0x100;
  // cld; mov si, AT; again: cs lodsb; test al, al; jz done; out E9h, al; jmp again; done: hlt; jmp done
  image.set([0xfc, 0xbe, at & 255, at >> 8, 0x2e, 0xac, 0x84, 0xc0, 0x74, 4, 0xe6, 0xe9, 0xeb, 0xf6, 0xf4, 0xeb, 0xfd]);
  image.set(Buffer.from(text, 'latin1'), at);
  image.set([0xea, 0, 0, 0, 0xf0], 0xfff0);
  return image;
}

function request(url: string): string {
  const params = { name: 'machine_start', arguments: { kind: 'c64', options: { boot: false } }, _meta: modernMeta };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const head = {
    host: new URL(url).host,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'machine_start',
    'content-length': body.length,
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /mcp HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

// What a guest sends over QEMU's user network comes from a socket of QEMU's own, as this does.
test('a guest does not own a server that asks for no token', { timeout: 180_000 }, async () => {
  await using sandbox = await Sandbox.open();
  await using server = await HttpProgram.start(sandbox, '--no-token', '--audit', 'audit.log');
  const audited = () => readFile(join(sandbox.dir, 'audit.log'), 'utf8').catch(() => '');
  await writeFile(join(sandbox.dir, 'bios.bin'), firmware(request(server.url)));
  const { port } = new URL(server.url);
  const argv = [
    '-M',
    'pc',
    '-display',
    'none',
    '-nodefaults',
    '-bios',
    'bios.bin',
    '-device',
    'isa-debugcon,chardev=wire',
  ];
  const qemu = spawn('qemu-system-x86_64', [...argv, '-chardev', `socket,id=wire,host=127.0.0.1,port=${port}`], {
    cwd: sandbox.dir,
    stdio: 'ignore',
  });
  const gone = once(qemu, 'exit');
  await vi.waitFor(async () => expect(await audited()).toContain('"outcome"'), patience);
  qemu.kill('SIGKILL');
  await gone;
  expect(await audited()).not.toContain('machine_start');
  expect(await audited()).toContain('"tool":"http","outcome":"denied","why":"a guest of an emulator"');
  const who = await fetch(new URL('/session', server.url));
  expect({ status: who.status, ...((await who.json()) as object) }).toMatchObject({ status: 200, role: 'own' });
});
