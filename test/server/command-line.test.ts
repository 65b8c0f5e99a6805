import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Guest } from '../support/guest.ts';
import { HttpProgram } from '../support/http-program.ts';
import { httpClient } from '../support/mcp-client.ts';
import { Sandbox } from '../support/sandbox.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await Sandbox.open();
});
afterEach(() => sandbox[Symbol.asyncDispose]());

describe('call and tools', () => {
  test('work in their own process when no server runs, and leave nothing', async () => {
    const called = await sandbox.run(['call', 'machine_kinds', '{"kind":"console"}']);
    expect(called).toMatchObject({ code: 0, stderr: '' });
    expect(called.stdout).toContain('write_policy');
    const started = await sandbox.run(['call', 'machine_start', 'kind=dos']);
    expect(started.stdout).toContain('It ends with this command');
    expect(started.stdout).not.toContain('idle');
    const listed = await sandbox.run(['tools']);
    expect(listed.stdout).toMatch(/^console_send\s+\S/m);
    expect(listed.stdout).not.toMatch(/:$/m);
    const one = await sandbox.run(['tools', 'events_read', '--json']);
    expect(JSON.parse(one.stdout)).toMatchObject({ name: 'events_read', inputSchema: { type: 'object' } });
    expect(sandbox.servers).toEqual([]);
  });

  test('find the server that runs, with its token', async () => {
    await using guest = await Guest.listen();
    await using server = await HttpProgram.start(sandbox);
    const options = JSON.stringify({ kind: 'console', name: 'vm', options: { port: guest.port } });
    expect((await sandbox.run(['call', 'machine_start', '-'], { input: options })).stdout).toMatch(/^vm /);
    await using client = await httpClient(server, 'legacy');
    expect((await client.call('machine_list')).text).toMatch(/^vm /);
    await guest.print('ready\r\n');
    const read = await sandbox.run(['call', 'console_read', 'machine=vm', 'expect=ready']);
    expect(read).toMatchObject({ code: 0, stdout: expect.stringMatching(/^vm LINK UP .*\nmatched "ready"/) });
    expect(read.stderr).toBe(`frontpanel: using the server that runs at ${server.url}\n`);
    expect((await sandbox.run(['tools'])).stdout).toContain('events_read');
    await using other = await HttpProgram.start(sandbox);
    // The one that has run longest is asked.
    expect((await sandbox.run(['tools'])).stderr).toBe(
      `frontpanel: using the server that runs at ${server.url}; --url reaches others: ${other.url}\n`,
    );
    // Flags that describe a server ask for one of their own.
    expect((await sandbox.run(['tools', '--toolset', 'machines'])).stdout).not.toContain('events_read');
    const machinesOnly = { env: { FRONTPANEL_TOOLSET: 'machines' } };
    expect(await sandbox.run(['tools'], machinesOnly)).toMatchObject({
      stdout: expect.not.stringContaining('events_read'),
      stderr: '',
    });
    // Calls go to the machines, wherever the environment comes from.
    expect((await sandbox.run(['call', 'machine_list'], machinesOnly)).stdout).toMatch(/^vm /);
    const failed = await sandbox.run(['call', 'machine_stop', 'machine=nobody']);
    expect(failed).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^ERROR No machine "nobody".*\nFix: Alive: vm/),
    });
  });

  test('take an address and a token, and say what is wrong with them', async () => {
    await using server = await HttpProgram.start(sandbox);
    const at = (token: string) => ['call', 'machine_list', '--url', server.url, '--token', token];
    expect(await sandbox.run(at(server.token ?? ''))).toMatchObject({ code: 0 });
    expect(await sandbox.run(at('wrong'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('A bearer token is needed'),
    });
    const nobody = await sandbox.run(['tools', '--url', 'http://127.0.0.1:9/mcp']);
    expect(nobody).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('http://127.0.0.1:9/mcp') });
  });

  test('say what is wrong with a call before it is made', async () => {
    const misspelt = await sandbox.run(['call', 'consol_read']);
    expect(misspelt).toMatchObject({ code: 2, stdout: '' });
    expect(misspelt.stderr).toContain('console_read');
    expect(misspelt.stderr).not.toContain('    at ');
    expect((await sandbox.run(['call', 'machine_list', '{"format":'])).code).toBe(2);
    expect((await sandbox.run(['serve', '--prot', '1'])).stderr).toContain('--port');
  });
});

describe('settings', () => {
  test('come from flag, environment, configuration file and default, in this order', async () => {
    const file = join(sandbox.dir, 'frontpanel.config.json');
    const tools = async (args: readonly string[], env: Record<string, string> = {}) => {
      const { stdout } = await sandbox.run(['tools', '--json', ...args], { env });
      return (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name);
    };
    expect(await tools([])).toEqual(expect.arrayContaining(['machine_list', 'events_read']));
    await writeFile(file, JSON.stringify({ toolset: ['log'] }));
    const more = await tools([]);
    expect(more).toContain('events_read');
    expect(more).not.toContain('machine_list');
    const env = { FRONTPANEL_TOOLSET: 'all' };
    expect(await tools([], env)).toEqual(expect.arrayContaining(['machine_list', 'events_read']));
    expect(await tools(['--toolset', 'machines'], env)).not.toContain('events_read');
  });

  test('that are wrong are refused with the place they come from', async () => {
    await writeFile(join(sandbox.dir, 'frontpanel.config.json'), '{"toolset":["most"],"prot":1}');
    const { code, stdout, stderr } = await sandbox.run([], { env: { FRONTPANEL_MAX_MACHINES: 'many' } });
    expect([code, stdout]).toEqual([2, '']);
    for (const word of ['frontpanel.config.json', 'toolset', 'prot', 'FRONTPANEL_MAX_MACHINES']) {
      expect(stderr).toContain(word);
    }
  });
});

test('doctor finds a healthy setup healthy', async () => {
  const { code, stdout } = await sandbox.run(['doctor', '--quick', '--json'], { env: { FRONTPANEL_PORT: '0' } });
  const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: { check: string; status: string }[] };
  expect([code, ok]).toEqual([0, true]);
  expect(findings.filter(({ status }) => status === 'fail')).toEqual([]);
  for (const check of ['Node.js', 'configuration', 'runtime directory', 'leftovers', 'self test']) {
    expect(findings.find((finding) => finding.check === check)).toMatchObject({ status: 'ok' });
  }
  expect(findings.at(-1)).toMatchObject({ check: 'self test', detail: expect.stringMatching(/^\d+ tools listed/) });
  expect(sandbox.servers).toEqual([]);
});

test('help, version and completion are on standard output', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(await sandbox.run(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
  const help = await sandbox.run(['--help']);
  expect(help).toMatchObject({ code: 0, stderr: '' });
  for (const word of ['serve', 'attach', 'doctor', '--toolset', '--journal']) expect(help.stdout).toContain(word);
  expect((await sandbox.run(['serve', '--help'])).stdout).toContain('--max-streams');
  const { stdout: script } = await sandbox.run(['completion', 'bash']);
  const complete = `${script}\nCOMP_WORDS=(frontpanel doc) COMP_CWORD=1 COMP_LINE='frontpanel doc' COMP_POINT=14\n`;
  const name = /complete .*-F (\S+)/.exec(script)?.[1];
  const shell = spawnSync('bash', ['-c', `${complete}${name} frontpanel doc frontpanel; echo "\${COMPREPLY[@]}"`]);
  expect(String(shell.stdout).trim()).toBe('doctor');
});
