import { join } from 'node:path';
import { expect } from 'vitest';
import type { Lab, Vm } from './vm.ts';

/** Some counters of this computer go on while the guest is stopped, and QEMU 7.2 changes mideleg when it is read. */
function timeless(text: string): string {
  return text.replaceAll(/\b(?:mideleg|m?cycleh?|m?instreth?|timeh?|m?hpmcounter\w*|pmccntr\w*|cnt\w*)=\S+/gi, '');
}

/** Stops a guest, writes its core file, opens that, and compares what both answer. `code` is where there is some. */
export async function sameInCore(lab: Lab, { handle }: Vm, code: bigint, symbols?: string): Promise<void> {
  await lab.call('pause', { machine: handle });
  const address = `0x${code.toString(16)}`;
  const calls: readonly (readonly [string, Record<string, unknown>])[] = [
    ['chip_read', { chip: 'cpu', part: 'registers' }],
    ['chip_read', { chip: 'cpu', part: 'system' }],
    ['disassemble', { address, count: 8 }],
    ['memory_read', { address, length: 64 }],
    ['memory_read', { address, length: 64, space: 'physical' }],
    ['pages_read', { address }],
    ['crash_explain', {}],
  ];
  const answers = async (machine: string) => {
    const all: string[] = [];
    for (const [tool, args] of calls) {
      const [, ...lines] = (await lab.call(tool, { machine, ...args })).split('\n');
      all.push(`${tool} ${timeless(lines.join('\n'))}`);
    }
    return all;
  };
  const live = await answers(handle);
  const path = join(lab.folder, `${handle}.core`);
  expect(await lab.call('crash_dump', { machine: handle, path })).toContain('ELF core file');
  const { handle: opened } = await lab.rack.start('qemu', { core: path });
  if (symbols !== undefined) await lab.call('symbols_load', { machine: opened, path: symbols });
  expect(await answers(opened)).toEqual(live);
}
