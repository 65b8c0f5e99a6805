import { describe, expect, test } from 'vitest';
import { makeRack } from '../../test/make-rack.ts';
import { toyKind } from '../../test/toy-kind.ts';
import { outcomeText } from '../api/outcome-text.ts';
import type { Caller } from '../api/tool-host.ts';
import { Confirmations } from './confirmations.ts';
import { tools } from './index.ts';
import { otherWords } from './tool-find/other-words.ts';
import { Toolbox } from './toolbox.ts';

const caller: Caller = { client: 'test', role: 'own', signal: new AbortController().signal, progress: () => {} };

function desk(role: Caller['role'] = 'own') {
  const box = new Toolbox(tools, ['auto'], makeRack([toyKind]), new Confirmations(true, () => 'token'), () => {});
  const call = async (name: string, args: unknown = {}) => outcomeText(await box.call(name, args, { ...caller, role }));
  return { box, call, find: (words: string) => call('tool_find', { find: words }) };
}

describe('finding', () => {
  test.each([
    ['how many cycles does a routine take', 'cycles_read'],
    ['wait for the boot and log in', 'console_login'],
    ['capture network packets', 'network_capture_start'],
    ['which functions are there', 'functions_list'],
    ['events that happened meanwhile', 'events_read'],
    ['look into a sprite', 'chip_read'],
    ['copy a file to the guest', 'file_put'],
    ['find where the number of lives is kept', 'value_find'],
    ['load symbols of an ELF', 'symbols_load'],
    ['code coverage', 'coverage_read'],
    ['record sound', 'audio_capture'],
    ['profile', 'profile_read'],
    ['DOS service calls', 'calls_read'],
    // In words that descriptions do not have.
    ['the exact cycle of each colour change', 'frame_trace'],
    ['watchpoint', 'breakpoint_set'],
    ['backtrace', 'state_read'],
    ['screenshot', 'screen_read'],
    ['hot spots', 'profile_read'],
    ['eject the disk', 'media_detach'],
    ['stopwatch', 'cycles_read'],
    ['tcpdump', 'network_capture_start'],
    ['why is there a kernel panic', 'crash_explain'],
    ['which processes run in the guest', 'linux_read'],
    ['attach gdb', 'debug_port'],
    ['send it by xmodem', 'file_put'],
    ['what has changed since the snapshot', 'memory_compare'],
    ['go back in time', 'step'],
    ['rename a function', 'names_write'],
    ['what happened while I was away', 'events_read'],
  ])('%s: %s is among the first', async (words, tool) => {
    const { find } = desk();
    const found = [...(await find(words)).matchAll(/^(\w+) \((?:toolset|in your list)/gm)].map(([, name]) => name);
    expect(found.slice(0, 3)).toContain(tool);
  });

  test('other words are those of tools that there are', () => {
    const names = tools.map(({ name }) => name);
    expect(Object.keys(otherWords).filter((name) => !names.includes(name))).toEqual([]);
  });

  test('gives no arguments of tools that are in every list, unless one is asked for by its name', async () => {
    const { find } = desk();
    expect(await find('hex dump of memory')).toMatch(/^memory_read \(in your list\)\nMemory as hex dump[^\n]*\n\n/);
    expect(await find('memory_read')).toMatch(/^memory_read \(toolset debug.*\n.*\n {2}machine \(string\)/);
  });

  test('shows arguments, and whether a machine that runs can do it', async () => {
    const { call, find } = desk();
    await call('machine_start', { kind: 'toy' });
    expect(await find('input_sequence')).toMatch(
      /^input_sequence \(toolset play: .*\); works on toy-1\n.*\n {2}machine \(string\)/,
    );
    expect(await find('network')).toMatch(/network_capture_read .*needs network, which no running machine has/);
  });

  test('knows every toolset by its name, and all of them without a question', async () => {
    const { call, find } = desk();
    expect((await find('timing')).match(/\(toolset timing/g)).toHaveLength(
      tools.filter((t) => t.toolset === 'timing').length,
    );
    const all = await call('tool_find');
    for (const { name } of tools) expect(all).toContain(name);
  });

  test('says when nothing fits', async () => {
    expect(await desk().find('xyzzy')).toMatch(/^ERROR No tool found for "xyzzy"/);
  });
});

describe('calling', () => {
  test('is the call of the tool: answer, journal and role', async () => {
    const { box, call } = desk();
    await call('machine_start', { kind: 'toy' });
    const direct = await call('machine_list');
    expect(await call('tool_find', { tool: 'machine_list' })).toBe(direct);
    expect(box.rack.journal.entries.map(({ tool }) => tool)).toEqual(['machine_start', 'machine_list', 'machine_list']);
    const watcher = desk('observe');
    expect(await watcher.call('tool_find', { tool: 'machine_start', arguments: { kind: 'toy' } })).toMatch(/own/);
    expect(watcher.box.rack.machines).toEqual([]);
  });

  test('of itself, with words as well, or of nothing is refused', async () => {
    const { call } = desk();
    expect(await call('tool_find', { tool: 'tool_find', arguments: { tool: 'machine_list' } })).toMatch(
      /either finds tools/,
    );
    expect(await call('tool_find', { find: 'x', tool: 'machine_list' })).toMatch(/either finds tools/);
    expect(await call('tool_find', { tool: [] })).toMatch(/^ERROR tool_find: tool/);
    expect(await call('tool_find', { tool: 'nothing' })).toMatch(/^ERROR No tool "nothing"/);
  });

  test('that is none, but says what it should do, is answered with those that do it', async () => {
    const { call } = desk();
    for (const tool of ['take_screenshot', 'takeScreenshot']) {
      expect(await call('tool_find', { tool })).toMatch(/No tool "take[\s\S]*By its words: screen_read, /);
    }
    expect(await call('tool_find', { tool: 'xyzzy' })).not.toMatch(/By its words/);
    expect(await call('tool_find', { tool: 'screen_raed' })).not.toMatch(/By its words/);
  });
});
