import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TestMachine } from '../services/dos/test-machine-testing.ts';
import { Shell } from './shell.ts';

let folder = '';
let machine: TestMachine;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dos-terminal-'));
  writeFileSync(join(folder, 'hello.txt'), 'hello\r\n');
  machine = TestMachine.over(folder);
  new Shell(machine.kernel, { commands: [], interactive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

const enter = (line: string) => machine.enter(line);

describe('CTTY', () => {
  const open = () =>
    [...Array(8).keys()].reduce((sum, index) => sum + machine.kernel.dos.files.get(index).references, 0);

  test('gives the prompt to a serial line, and CON takes it back', () => {
    machine.resume();
    const before = open();
    machine.portInput.set('COM1', [...Buffer.from('echo on the line\rctty con\r', 'latin1')]);
    expect(enter('ctty com1:')).toBe('\r\n');
    machine.resume();
    const line = machine.portOutput.get('COM1') ?? '';
    expect(line).toContain('C:\\>echo on the line\r\non the line\r\n');
    expect(line).toContain('C:\\>ctty con\r\n');
    expect(enter('echo back')).toBe('back\r\n');
    expect(open()).toBe(before);
  });

  test('what a command was redirected to is put back on the new terminal', () => {
    machine.portInput.set('COM1', [...Buffer.from('ctty con\r', 'latin1')]);
    enter('ctty com1 >out.txt');
    machine.resume();
    expect(machine.portOutput.get('COM1')).toContain('C:\\>ctty con');
    expect(enter('echo back')).toBe('back\r\n');
  });

  test('NUL keeps a batch file quiet, and the prompt comes back to CON', () => {
    writeFileSync(join(folder, 'quiet.bat'), '@ctty nul\r\n@echo hidden\r\n@ctty con\r\n@echo seen\r\n');
    expect(enter('quiet')).toBe('\r\nseen\r\n');
    const before = open();
    for (const device of ['nul', 'prn', 'lpt2:']) {
      expect(enter(`ctty ${device}`)).toBe('\r\n');
      expect(enter('echo back')).toBe('back\r\n');
    }
    expect(open()).toBe(before);
  });

  test('the clock takes no new line, so it is no terminal', () => {
    const before = open();
    expect(enter('ctty clock$')).toBe('Invalid device\r\n');
    expect(enter('echo here')).toBe('here\r\n');
    expect(open()).toBe(before);
  });

  test('a file is no terminal', () => {
    for (const wrong of ['', 'hello.txt', 'nothing']) expect(enter(`ctty ${wrong}`)).toBe('Invalid device\r\n');
    expect(enter('echo here')).toBe('here\r\n');
  });
});
