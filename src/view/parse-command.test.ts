import { expect, test } from 'vitest';
import type { PageCommand } from './channel.ts';
import { parseCommand } from './parse-command.ts';

const commands: readonly PageCommand[] = [
  { type: 'watch', machine: 'c64-1' },
  { type: 'watch', machine: 'dos-1', console: 'dos-1.com2' },
  { type: 'call', id: 1, tool: 'run', arguments: { frames: 1 }, isConfirmed: true },
  { type: 'inspect', id: 2, machine: 'c64-1', reads: [{ tool: 'state_read', arguments: {} }] },
  { type: 'kinds' },
  { type: 'glimpses', isWanted: true },
  { type: 'upload', id: 3, name: 'a.prg', part: 'AAAA', isLast: true },
  { type: 'take', machine: 'c64-1' },
  { type: 'handBack', machine: 'c64-1', note: 'done' },
  { type: 'rename', machine: 'c64-1', title: 'mine' },
  { type: 'leave' },
  { type: 'ack', seq: 4_000_000_000 },
  { type: 'look', isLooking: false },
  { type: 'listen', isListening: true },
  { type: 'paste', text: 'LIST\n' },
  { type: 'stopTyping' },
  { type: 'keys', keys: ['shift', 'a'] },
  { type: 'repeat', key: 'a' },
  { type: 'type', text: 'ls\r' },
  { type: 'break' },
  { type: 'joystick', port: 2, directions: ['up'] },
  { type: 'moveTo', x: 0, y: 5 },
  { type: 'moveBy', dx: -3, dy: 4 },
  { type: 'buttons', buttons: [] },
  { type: 'wheel', clicks: -1 },
  { type: 'control', action: 'reset' },
  { type: 'control', action: 'step over' },
];

test.each(commands)('$type is understood', (command) => {
  expect(parseCommand(JSON.stringify(command))).toEqual(command);
});

test.each([
  null,
  'keys',
  {},
  { type: 'eval', text: 'x' },
  { type: 'watch' },
  { type: 'listen', isListening: 1 },
  { type: 'call', id: 1, tool: 'run', arguments: [], isConfirmed: true },
  {
    type: 'inspect',
    id: 2,
    machine: 'c64-1',
    reads: Array.from({ length: 101 }, () => ({ tool: 'x', arguments: {} })),
  },
  { type: 'inspect', id: 2, machine: 'c64-1', reads: [{ tool: 5, arguments: {} }] },
  { type: 'handBack', machine: 'c64-1', note: 'x'.repeat(1001) },
  { type: 'paste', text: 'x'.repeat(10_001) },
  { type: 'keys', keys: 'shift' },
  { type: 'keys', keys: ['a', 7] },
  { type: 'keys', keys: Array.from({ length: 33 }, () => 'a') },
  { type: 'type', text: 'x'.repeat(40_000) },
  { type: 'moveTo', x: 1.5, y: 2 },
  { type: 'moveTo', x: 1 },
  { type: 'moveTo', x: 2 ** 31, y: 0 },
  { type: 'moveBy', dx: 2 ** 53 - 1, dy: 0 },
  { type: 'moveBy', dx: 0, dy: -40_000 },
  { type: 'wheel', clicks: 2 ** 31 },
  { type: 'joystick', port: 2 ** 31, directions: [] },
  { type: 'control', action: 'explode' },
])('%j is no command', (given) => {
  expect(parseCommand(JSON.stringify(given))).toBeUndefined();
});

test('only the fields of a command are taken', () => {
  const given = { type: 'repeat', key: 'a', machine: 'other', __proto__: { x: 1 } };
  expect(parseCommand(JSON.stringify(given))).toEqual({ type: 'repeat', key: 'a' });
});
