import { afterEach, expect, test } from 'vitest';
import { Desk } from './desk.ts';

let desk: Desk;
afterEach(() => desk.close());

const source = `
* = $c000
main    inc counter
        lda #0
store   sta $0400
        inc store+1
        jmp main
counter .byte 0
        .byte $2c
; @mcp-data: X, Y
table   nop
`;

test('a breakpoint that waits for an instruction where there is data says so, and one at code does not', async () => {
  desk = await Desk.withC64();
  await desk.call('program_run', { source, start: false });
  const set = (address: string) => desk.call('breakpoint_set', { address });
  expect(await set('counter')).toMatch(
    /\$C00E is data in .*:8 \(counter \.byte 0\): it stops only if that is executed/,
  );
  expect(await set('table')).toMatch(/\$C010 is data by @mcp-data in /);
  expect(await set('$d020')).toMatch(/\$D020 is a register of vic2 at present/);
  // Code that changes itself, code without a name, RAM and ROM.
  for (const place of ['main', 'store', 'store+1', '$c00f', '$02', '$0400', '$ffd2', '$e5cd']) {
    expect(await set(place), place).not.toContain('stops only');
  }
  expect(await desk.call('breakpoint_list')).toContain('is data in');
});
