import { expect, test } from 'vitest';
import { Lab, uBoot } from './vm.ts';

test('the phases of a boot, beside those of another machine and after a reset', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const first = await lab.start(uBoot.riscv64, 'first');
  const second = await lab.start({ ...uBoot.riscv64, memory: 256, trace: ['pci_cfg_write'] }, 'second');
  await first.uBootPrompt();
  await second.uBootPrompt();
  const read = (args: Record<string, unknown> = {}) => lab.call('boot_read', { machine: 'first', ...args });
  const own = await read();
  expect(own).toMatch(/^firmware: at \d+\.\d{3} s \(\d+\.\d{3} s on the wall\), took \d+\.\d{3} s$/m);
  expect(own).toMatch(/^prompt: at \d+\.\d{3} s \(\d+\.\d{3} s on the wall\)$/m);
  expect(own).toMatch(/^not seen: loader, kernel, kernel_done, init$/m);
  expect(own).toMatch(/\[output \w+: the lines with the marks\]\nfirmware: U-Boot 20[\s\S]*\nprompt: => /);
  // What a person or an agent types later stands on the line of the prompt, and changes nothing of when it came.
  const prompt = /^prompt: at .*$/m.exec(own)?.[0];
  await first.ask('echo UEFI not found', /UEFI not found\s+=> /);
  await first.ask('version', /GNU ld[\s\S]*=> /);
  expect(await read()).toContain(prompt);
  const marks = ['memory=/^DRAM: +\\d+ MiB/', 'devices=Core:', 'never=no such line'];
  const both = await read({ marks, compare: 'second' });
  const time = String.raw`\d+\.\d{3} s and \d+\.\d{3} s \([+-]\d+\.\d{3} s\)`;
  expect(both).toMatch(
    new RegExp(`^first and second:\nmemory: at ${time}, took ${time}\ndevices: at ${time}\nnot seen: never$`, 'm'),
  );
  const traced = await read({ machine: 'second', marks: ['bus=pci_cfg_write', 'prompt=/^=> $/'] });
  expect(traced).toMatch(/^bus: at [^\n]*\nprompt: at /m);
  expect(traced).toMatch(/^bus: pci_cfg_write \S+ \d\d:\d\d\.\d @0x[0-9a-f]+ <- 0x[0-9a-f]+$/m);
  expect(await lab.call('console_read', { machine: 'second', port: 'second.log' })).toContain('pci_cfg_write ');
  expect(await read({ marks: ['no name'] })).toContain('"no name" has no name');
  expect(await read({ marks: ['a=/(/'] })).toContain('regular expression');
  expect(await read({ compare: 'nobody' })).toContain('nobody');

  await first.machine.control.reset('hard');
  const { console } = first.machine;
  await first.until('another boot', () =>
    Buffer.concat(console.boot?.read().lines.map(({ bytes }) => bytes) ?? []).includes('Hit any key'),
  );
  const again = JSON.parse(await read({ format: 'json' })) as { phases: { name: string; guestMs: number }[] };
  expect(again.phases.map(({ name }) => name)).toEqual(['firmware']);
  expect(console.boot?.read().lines.filter(({ bytes }) => Buffer.from(bytes).includes('U-Boot 20'))).toHaveLength(1);
});

test('a tracepoint that this QEMU does not have is refused with those that it has', async () => {
  await using lab = new Lab();
  const start = (trace: readonly string[]) => lab.start({ ...uBoot.riscv64, trace: [...trace] });
  await expect(start(['pci_cfg_wrte'])).rejects.toThrow('this QEMU has no tracepoint pci_cfg_wrte');
  await expect(start(['events=/etc/passwd'])).rejects.toThrow();
  await expect(start(['pci_cfg_write,file=/tmp/x'])).rejects.toThrow();
});
