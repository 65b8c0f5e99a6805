import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { DebugDesk } from './debug-desk.ts';

let desk: DebugDesk;
beforeAll(async () => {
  desk = await DebugDesk.open('--allow-debuggers', '--toolset', 'all');
});
afterAll(() => desk[Symbol.asyncDispose]());
afterEach(() => desk.agent.call('machine_stop', { machine: 'mine' }));

const patience = 120_000;

test(
  'gdb debugs a C64: registers, memory, breakpoints, watchpoints, steps, and the way back',
  async () => {
    const port = await desk.start('c64', 'gdb');
    const source = '* = $c000\n ldx #0\nloop inx\n stx $0400\n inc $d020\n jmp loop';
    await desk.agent.call('program_run', { machine: 'mine', start: false, source });
    const said = await desk.gdb(port, [
      'x/8xb 0xc000',
      'set $eip = 0xc000',
      'break *0xc002',
      'continue',
      'stepi',
      'printf "x is %d\\n", $x',
      'watch *(unsigned char*)0x400',
      'continue',
      'printf "pc is %x\\n", $eip',
      'reverse-stepi',
      'printf "before it %x\\n", $eip',
      'reverse-continue',
      'printf "back at %x with x %d\\n", $eip, $x',
      'set var *(unsigned char*)0x2000 = 7',
      'x/1xb 0x2000',
      'set $x = 0x40',
      'set $s = 0xf0',
      'printf "sp %x\\n", $esp',
      'monitor disassemble $c000 2',
      'monitor nonsense',
      'detach',
    ]);
    expect(said).toContain('0xc000:\t0xa2\t0x00\t0xe8\t0x8e\t0x00\t0x04\t0xee\t0x20');
    expect(said).toContain('Breakpoint 1, 0x0000c002 in ?? ()');
    expect(said).toContain('x is 1\n');
    expect(said).toMatch(/Hardware watchpoint 2: .*\n\nOld value = 32 ' '\nNew value = 1 '\\001'/);
    expect(said).toContain('pc is c006\n');
    expect(said).toContain('before it c003\n');
    expect(said).toContain('back at c002 with x 0\n');
    expect(said).toContain('0x2000:\t0x07\n');
    expect(said).toContain('sp 1f0\n');
    expect(said).toContain('$C000  A2 00  LDX #$00');
    expect(said).toMatch(/pace real\|warp +how fast continue runs/);
    const state = await desk.agent.call('state_read', { machine: 'mine' });
    expect(state.text).toContain('X=40');
    expect((await desk.agent.call('breakpoint_list', { machine: 'mine' })).text).toContain('No breakpoints.');
  },
  patience,
);

test(
  'who goes back to a watchpoint is at the instruction that wrote, with the value of before, as with rr',
  async () => {
    const port = await desk.start('c64', 'gdb');
    const source = '* = $c000\n lda #1\n sta $2000\n lda #2\n sta $2000\n lda #3\n sta $2000\n nop\nloop jmp loop';
    await desk.agent.call('program_run', { machine: 'mine', start: false, source });
    const here = 'printf "at %x with %d\\n", $eip, *(unsigned char*)0x2000';
    const said = await desk.gdb(port, [
      ...['set $eip = 0xc000', 'break *0xc010', 'continue', 'watch *(unsigned char*)0x2000'],
      ...['reverse-continue', here, 'reverse-continue', here, 'continue', here, 'reverse-continue', here, 'detach'],
    ]);
    expect([...said.matchAll(/^at .*$/gm)].map(([line]) => line)).toEqual([
      'at c00c with 2',
      'at c007 with 1',
      'at c00a with 2',
      'at c007 with 1',
    ]);
    expect(said).toMatch(/Old value = 3 '\\003'\nNew value = 2 '\\002'/);
  },
  patience,
);

test(
  'gdb debugs a DOS program by linear addresses',
  async () => {
    const port = await desk.start('dos', 'gdb');
    const source = [
      ...['org 0x100', 'wait: cmp byte [0x300], 0', 'je wait', 'mov cx, 3', 'mov ax, 0x1234'],
      ...['again: push ax', 'mov [0x200], cx', 'pop bx', 'loop again', 'int 0x20', 'times 0x300-($-$$) db 0'],
    ].join('\n');
    const started = await desk.agent.call('program_run', { machine: 'mine', source });
    expect(started.text).toContain('SOURCE.COM');
    const { text } = await desk.agent.call('run', { machine: 'mine', condition: 'ip == 0x100', timeout_ms: 50_000 });
    const [, cs] = /at ([0-9A-F]{4}):0100/.exec(text) ?? [];
    const base = Number.parseInt(cs ?? '', 16) * 16;
    const at = (offset: number) => `0x${(base + offset).toString(16)}`;
    const said = await desk.gdb(port, [
      'printf "offset %x linear %x\\n", $ip_offset, $eip',
      `x/2i ${at(0x107)}`,
      `set var *(unsigned char*)${at(0x300)} = 1`,
      `break *${at(0x10d)}`,
      'monitor pace warp',
      'continue',
      'printf "ax %x cx %d\\n", $ax, $cx',
      'stepi',
      'x/1xh $esp',
      `watch *(unsigned short*)${at(0x200)}`,
      'continue',
      'delete 2',
      'continue',
      'printf "cx %d\\n", $cx',
      'reverse-continue',
      'printf "cx %d\\n", $cx',
      `set $eip = ${at(0x10a)}`,
      'printf "offset %x\\n", $ip_offset',
      'set $ax = 0x4c00',
      'printf "eax %x cs %x\\n", $eax, $cs',
      'kill',
    ]);
    expect(said).toContain(`offset 100 linear ${(base + 0x100).toString(16)}\n`);
    expect(said).toMatch(/mov +\$0x3,%cx\n.*mov +\$0x1234,%ax/);
    expect(said).toMatch(/Breakpoint 1, 0x[0-9a-f]+ in \?\? \(\)\nax 1234 cx 3\n/);
    expect(said).toMatch(/:\t0x1234\n/);
    expect(said).toMatch(/Hardware watchpoint 2: .*\n\nOld value = \d+\nNew value = 3\n/);
    expect(said).toMatch(/cx 2\n[\s\S]*cx 3\n/);
    expect(said).toContain('offset 10a\n');
    expect(said).toContain(`eax 4c00 cs ${(base / 16).toString(16)}\n`);
    expect((await desk.agent.call('machine_list')).text).toContain('mine ');
  },
  patience,
);
