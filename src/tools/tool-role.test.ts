import { expect, test } from 'vitest';
import { type Role, requireRole, roles } from '../api/roles.ts';
import { tools } from './index.ts';
import { machineReset } from './machine-reset.ts';
import { leastRole, roleForCall } from './tool-role.ts';

const named = (role: Role) =>
  tools
    .filter((tool) => leastRole(tool) === role)
    .map(({ name }) => name)
    .sort();

// Written out, so that a tool that is new or has another effect is looked at by somebody.
test('who only observes can do this, and nothing of it changes anything', () => {
  expect(named('observe')).toEqual([
    ...[
      'annotations_read',
      'batch',
      'boot_read',
      'breakpoint_list',
      'calls_read',
      'chip_read',
      'console_read',
      'crash_explain',
      'disassemble',
      'evaluate',
      'events_read',
      'film_read',
    ],
    ...['frame_trace', 'frame_xray', 'functions_list', 'graph_read', 'history_read', 'linux_read', 'machine_kinds'],
    ...['machine_list'],
    ...['memory_compare', 'memory_read', 'memory_search', 'network_capture_read', 'pages_read', 'profile_read'],
    ...['routine_call', 'screen_read', 'snapshot_list', 'source_read', 'state_read', 'tool_find', 'trace_read'],
  ]);
  for (const tool of tools) {
    if (leastRole(tool) === 'observe' && !['batch', 'tool_find'].includes(tool.name)) expect(tool.effect).toBe('read');
  }
});

test('only an owner can do this', () => {
  expect(named('own')).toEqual([
    ...['debug_port', 'machine_start', 'machine_stop', 'media_detach', 'monitor_execute', 'snapshot_delete'],
  ]);
});

test.each([
  ['machine_reset', {}, 'use'],
  ['machine_reset', { mode: 'soft' }, 'use'],
  ['machine_reset', { mode: 'hard' }, 'own'],
  ['snapshot_restore', { name: 'x' }, 'use'],
  ['snapshot_restore', { name: 'x', into: 'y' }, 'own'],
  ['snapshot_restore', null, 'use'],
  ['memory_write', undefined, 'use'],
  ['frame_trace', {}, 'observe'],
  ['frame_trace', { action: 'start' }, 'use'],
])('%s %j needs %s', (name, args, role) => {
  const tool = tools.find((each) => each.name === name);
  expect(tool && roleForCall(tool, args)).toBe(role);
});

test('no exception asks for less than the least', () => {
  for (const tool of tools) {
    expect(roles.indexOf(roleForCall(tool, {}))).toBeGreaterThanOrEqual(roles.indexOf(leastRole(tool)));
  }
});

test('a role that is none is less than any', () => {
  const nobody = { client: 'x', role: undefined as unknown as Role };
  expect(() => requireRole(nobody, 'observe', 'it')).toThrow(/needs the role "observe"/);
});

test('a hard reset asks only where what it takes cannot be had again', async () => {
  const asked = async (canRewind: boolean, mode: 'soft' | 'hard', state = 'RUNNING') =>
    machineReset.confirm?.({ control: { canRewind }, status: () => ({ state }) } as never, { mode }, {} as never);
  expect(await asked(true, 'hard')).toBeUndefined();
  expect(await asked(true, 'soft')).toBeUndefined();
  expect(await asked(false, 'soft')).toBeUndefined();
  expect(await asked(false, 'hard')).toContain('Its memory is lost');
  expect(await asked(false, 'hard', 'OFF')).toBeUndefined();
});
