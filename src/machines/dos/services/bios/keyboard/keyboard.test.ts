import { describe, expect, it } from 'vitest';
import { scanCodes } from '../../../../../chips/i8042/scan-codes.ts';
import { BiosBench } from '../bios-testing.ts';
import { romCode } from '../rom-layout.ts';

const code = (name: string) => scanCodes[name] as number;

function press(bench: BiosBench, ...names: string[]) {
  for (const name of names) bench.kbc.key(code(name), true);
  for (const name of names.toReversed()) bench.kbc.key(code(name), false);
  return bench.takeKeys();
}

function read(bench: BiosBench, ah = 0x10): number | undefined {
  return bench.call(0x16, { ah }) === 'wait' ? undefined : bench.guest.ax;
}

describe('keyboard', () => {
  it.each([
    [['a'], 0x1e61],
    [['shift', 'a'], 0x1e41],
    [['ctrl', 'c'], 0x2e03],
    [['alt', 'x'], 0x2d00],
    [['shift', '1'], 0x0221],
    [['alt', '1'], 0x7800],
    [['enter'], 0x1c0d],
    [['keypad enter'], 0xe00d],
    [['f1'], 0x3b00],
    [['shift', 'f10'], 0x5d00],
    [['f12'], 0x8600],
    [['up'], 0x48e0],
    [['ctrl', 'left'], 0x73e0],
    [['keypad 8'], 0x4800],
    [['shift', 'keypad 8'], 0x4838],
    [['ctrl', 'enter'], 0x1c0a],
    [['shift', 'tab'], 0x0f00],
    [['escape'], 0x011b],
    [['\\'], 0x2b5c],
    [['/'], 0x352f],
  ])('%j gives %i', (names, expected) => {
    const bench = new BiosBench();
    press(bench, ...names);
    expect(read(bench)).toBe(expected);
    expect(read(bench)).toBeUndefined();
  });

  it('has the old functions without the new keys', () => {
    const bench = new BiosBench();
    press(bench, 'f11');
    press(bench, 'up');
    press(bench, 'keypad enter');
    bench.call(0x16, { ah: 1 });
    expect([bench.guest.zero, bench.guest.ax]).toEqual([false, 0x4800]);
    expect([read(bench, 0), read(bench, 0), read(bench, 0)]).toEqual([0x4800, 0x1c0d, undefined]);
    bench.call(0x16, { ah: 1 });
    expect(bench.guest.zero).toBe(true);
  });

  it('keeps shift flags and locks', () => {
    const bench = new BiosBench();
    press(bench, 'caps lock');
    press(bench, 'a');
    press(bench, 'shift', 'a');
    expect([read(bench), read(bench)]).toEqual([0x1e41, 0x1e61]);
    bench.kbc.key(code('right ctrl'), true);
    bench.kbc.key(code('shift'), true);
    bench.takeKeys();
    bench.call(0x16, { ah: 0x12 });
    expect(bench.guest.ax).toBe(0x0446);
    press(bench, 'num lock');
    bench.kbc.key(code('shift'), false);
    bench.kbc.key(code('right ctrl'), false);
    bench.takeKeys();
    press(bench, 'keypad 5');
    expect(read(bench)).toBe(0x4c35);
  });

  it('enters characters by number with Alt', () => {
    const bench = new BiosBench();
    press(bench, 'keypad 2');
    read(bench);
    bench.kbc.key(code('alt'), true);
    for (const digit of ['2', '2', '5']) {
      bench.kbc.key(code(`keypad ${digit}`), true);
      bench.kbc.key(code(`keypad ${digit}`), false);
    }
    bench.kbc.key(code('alt'), false);
    bench.takeKeys();
    expect(read(bench)).toBe(0x00e1);
  });

  it('holds fifteen keys, and takes pushed ones', () => {
    const bench = new BiosBench();
    for (let i = 0; i < 20; i++) press(bench, 'x');
    let keys = 0;
    while (read(bench) !== undefined) keys++;
    expect(keys).toBe(15);
    bench.call(0x16, { ah: 5, cx: 0x1234 });
    expect([bench.guest.al, read(bench)]).toEqual([0, 0x1234]);
  });

  it('leaves for Ctrl-Break and Ctrl-Alt-Del', () => {
    const bench = new BiosBench();
    press(bench, 'a');
    bench.kbc.key(code('ctrl'), true);
    bench.kbc.key(code('break'), true);
    expect(bench.takeKeys()).toContain('jump');
    expect([bench.guest.cs, bench.guest.ip, bench.memory.read8(0x471)]).toEqual([0xf000, romCode.breakKey, 0x80]);
    expect(read(bench)).toBe(0);
    bench.kbc.key(code('alt'), true);
    bench.kbc.key(code('delete'), true);
    expect(bench.takeKeys()).toContain('jump');
    expect([bench.guest.ip, bench.memory.read16(0x472)]).toEqual([romCode.reset, 0x1234]);
  });

  it('ignores Pause and describes what it got', () => {
    const bench = new BiosBench();
    press(bench, 'pause');
    press(bench, 'b');
    expect(read(bench)).toBe(0x3062);
    expect(bench.describe(0x09, { al: 0x9e })).toBe('int 09h keyboard scan code 9Eh');
  });
});
