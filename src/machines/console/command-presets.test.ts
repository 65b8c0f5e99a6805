import { expect, test } from 'vitest';
import { knownPresets, presetCommand } from './command-presets.ts';

test('an escape character of ipmitool is none that a line of a shell can begin with', () => {
  const { argv } = presetCommand('ipmi-sol', { host: '10.0.0.9', user: 'admin' }, knownPresets);
  expect(argv[argv.indexOf('-e') + 1]).toBe('\u001d');
  expect(argv.slice(0, 7)).toEqual(['ipmitool', '-I', 'lanplus', '-H', '10.0.0.9', '-U', 'admin']);
});

test('what is typed waits for programs that would drop it', () => {
  expect(presetCommand('virsh', { domain: 'vm' }, knownPresets).ready).toBe('Escape character is');
  expect(presetCommand('ssh', { host: 'vm' }, knownPresets).ready).toBeUndefined();
});
