import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Role, roles } from '../../src/api/roles.ts';
import { tools } from '../../src/tools/index.ts';
import { HttpProgram } from '../support/http-program.ts';
import { httpClient, type McpClient } from '../support/mcp-client.ts';
import { Sandbox } from '../support/sandbox.ts';

const tokenOf = (role: Role) => `token-of-one-who-may-${role}-0123`;
const denied = /needs the role/;
const patience = { timeout: 180_000 };

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.open();
  const rows = roles.map((role) => ({ name: role, role, token: tokenOf(role) }));
  await writeFile(join(sandbox.dir, 'frontpanel.config.json'), JSON.stringify({ tokens: rows }), { mode: 0o600 });
});
afterAll(() => sandbox[Symbol.asyncDispose]());

/** Who may do what, written down a second time: a tool that is new or changes sides is looked at by a person. */
const least: Readonly<Record<Role, string>> = {
  observe: `machine_kinds machine_list screen_read console_read snapshot_list batch tool_find state_read memory_read
    disassemble breakpoint_list memory_search memory_compare events_read network_capture_read pages_read crash_explain
    linux_read evaluate source_read annotations_read chip_read boot_read frame_trace frame_xray profile_read
    functions_list graph_read calls_read trace_read routine_call history_read film_read`,
  use: `machine_reset run pause input_send program_run console_send media_attach snapshot_save snapshot_restore
    registers_write memory_write step breakpoint_set breakpoint_delete program_compare console_setup console_record
    console_login file_put guest_ask file_get network_capture_start network_capture_stop symbols_load crash_dump
    chip_write cycles_read input_sequence audio_capture names_write names_export names_import trace_start trace_stop
    coverage_read memory_freeze value_find`,
  own: 'machine_start machine_stop media_detach snapshot_delete monitor_execute debug_port',
};
const words = (text: string) => text.split(/\s+/);
const leastOf = new Map(roles.flatMap((role) => words(least[role]).map((name) => [name, role] as const)));

test('every tool has its row', () => {
  expect(tools.map(({ name }) => name).sort()).toEqual([...leastOf.keys()].sort());
});

/** What the list of one role has that another's has not, and how a call of it is answered. */
async function answers(client: McpClient, names: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const name of names) {
    const told = await client.callTool({ name, arguments: {} }).then((result) => JSON.stringify(result), String);
    found.set(name, told);
  }
  return found;
}

describe.each(['native', 'serencp', 'qemu', 'spice86', 'vice'])('the tools of %s', (dialect) => {
  test('are listed for and obey those alone who may use them', patience, async () => {
    const args = dialect === 'native' ? ['--toolset', 'all'] : ['--dialect', dialect];
    await using server = await HttpProgram.start(sandbox, ...args);
    const as = (role: Role) => httpClient({ url: server.url, token: tokenOf(role) } as HttpProgram, 'modern');
    await using owner = await as('own');
    await using user = await as('use');
    await using observer = await as('observe');
    const all = (await owner.listTools()).tools;
    const listedFor = async (client: McpClient) => new Set((await client.listTools()).tools.map(({ name }) => name));
    const [forUser, forObserver] = [await listedFor(user), await listedFor(observer)];
    expect(all.length).toBeGreaterThan(3);
    for (const { name, annotations } of all) {
      if (dialect === 'native') {
        expect(forObserver.has(name), name).toBe(leastOf.get(name) === 'observe');
        expect(forUser.has(name), name).toBe(leastOf.get(name) !== 'own');
      }
      // Whoever may use may also look; what destroys is for owners.
      if (forObserver.has(name)) expect(forUser.has(name), name).toBe(true);
      const passesOn = ['batch', 'tool_find'].includes(name);
      if (forObserver.has(name) && !passesOn) expect(annotations?.readOnlyHint, name).toBe(true);
    }
    const hidden = (listed: ReadonlySet<string>) => all.map(({ name }) => name).filter((name) => !listed.has(name));
    for (const [name, told] of await answers(observer, hidden(forObserver))) expect(told, name).toMatch(denied);
    for (const [name, told] of await answers(user, hidden(forUser))) expect(told, name).toMatch(denied);
    for (const [name, told] of await answers(observer, [...forObserver])) expect(told, name).not.toMatch(denied);
  });
});
