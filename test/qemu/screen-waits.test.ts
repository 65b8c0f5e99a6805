import { expect, test } from 'vitest';
import { image as x86Real } from './guests/x86-real.ts';
import { Lab, uBoot } from './vm.ts';

test('a text screen with a blinking cursor is still, and text is waited for', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  await lab.start({ memory: 16 });
  expect(await lab.call('run', { screen_text: 'No bootable device' })).toContain('"No bootable device" is on screen');
  expect(await lab.call('run', { screen_stable_ms: 1500, timeout_ms: 50_000 })).toContain('the picture was still for');
});

test('text is not waited for in silence where there is none', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const vm = await lab.start(uBoot.x86);
  await vm.uBootPrompt();
  expect(await lab.call('run', { screen_text: 'U-Boot', timeout_ms: 300 })).toContain('the screen was in no text mode');
  expect(await lab.call('run', { screen_stable_ms: 500, timeout_ms: 50_000 })).toContain('the picture was still for');
});

test('a wait for text on the screen that ends in vain shows the screen', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const vm = await lab.start({ memory: 16, drives: [`${lab.file('boot.img', x86Real)},floppy`] });
  await vm.printed(/READY/);
  const text = await lab.call('run', { machine: vm.handle, screen_text: 'never there', timeout_ms: 500 });
  expect(text).toContain('not seen; the limit is reached');
  expect(text).toMatch(/screen 80x25[\s\S]*SeaBIOS/);
});
