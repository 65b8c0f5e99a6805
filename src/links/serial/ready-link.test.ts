import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandLink } from './command-link.ts';
import { Listener, never } from './link-testing.ts';
import { readyLink } from './ready-link.ts';

test('what is written waits until the program has said that it is ready, in two pieces', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ready-'));
  const gate = join(folder, 'gate');
  const script = `printf 'rea'; until [ -e ${gate} ]; do sleep 0.02; done; printf 'dy\\n'; exec cat`;
  const connection = await readyLink(commandLink({ command: ['sh', '-c', script] }), 'ready').open(never());
  try {
    const listener = new Listener(connection);
    connection.write(Buffer.from('hello '));
    await listener.until(() => listener.text === 'rea');
    connection.write(Buffer.from('there\n'));
    expect(connection.pendingBytes).toBe(12);
    await writeFile(gate, '');
    await listener.until(() => listener.text.endsWith('there\n'));
    expect(listener.text).toBe('ready\nhello there\n');
    expect(connection.pendingBytes).toBe(0);
    await connection.end(5000);
  } finally {
    connection.destroy();
    await rm(folder, { recursive: true });
  }
});

test('the end of the line lets go of what waits', async () => {
  const connection = await readyLink(commandLink({ command: ['cat'] }), 'never said').open(never());
  const listener = new Listener(connection);
  connection.write(Buffer.from('last words'));
  await connection.end(5000);
  expect(listener.text).toBe('last words');
});
