import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeRack } from '../../../test/make-rack.ts';
import { outcomeText } from '../../api/outcome-text.ts';
import type { Caller } from '../../api/tool-host.ts';
import { kinds } from '../../machines/index.ts';
import type { Rack } from '../../rack/rack.ts';
import { Confirmations } from '../confirmations.ts';
import { tools } from '../index.ts';
import { Toolbox } from '../toolbox.ts';

const caller: Caller = { client: 'test', role: 'own', signal: new AbortController().signal, progress: () => {} };
let rack: Rack;
let box: Toolbox;

beforeEach(() => {
  rack = makeRack(kinds);
  box = new Toolbox(tools, ['auto'], rack, new Confirmations(true, () => 'token'), () => {});
});
afterEach(() => rack.close());

async function call(tool: string, args: unknown = {}): Promise<string> {
  return outcomeText(await box.call(tool, args, caller));
}

test('run, input_send, step and program_run show the screen or the state they led to', async () => {
  await call('machine_start', { kind: 'c64' });
  expect(await call('run', { screen_text: 'READY.', show: 'screen' })).toMatch(
    /READY\. is on screen|is on screen[\s\S]*READY\./,
  );
  expect(await call('input_send', { text: 'PRINT 6*7\n', show: 'screen' })).toMatch(
    /typed 10 characters[\s\S]*PRINT 6\*7[\s\S]*42/,
  );
  expect(await call('input_send', { text: '\n' })).toMatch(/typed 1 character$/m);
  expect(await call('step', { show: 'state' })).toMatch(/PC/);
  const program = { source: '* = $c000\n lda #7\n sta $0400\nloop jmp loop', frames: 2, show: 'screen' };
  expect(await call('program_run', program)).toMatch(
    /loaded \$C000-\$C007, start \$C000[\s\S]*screen 40x25[\s\S]*\ng/i,
  );
});

test('program_run says when a program has not started, and does not wait for it', async () => {
  await call('machine_start', { kind: 'c64' });
  const answer = await call('program_run', { source: '10 PRNT 1', language: 'basic', frames: 50 });
  expect(answer).toMatch(/FAILED · loaded .*\nit ran and ended with \?SYNTAX ERROR IN 10$/s);
  expect(await call('program_run', { source: ' rts', start: false, frames: 5 })).toMatch(
    /^ERROR A program that is not started/,
  );
});

test('on DOS program_run assembles, runs and waits in one call', async () => {
  await call('machine_start', { kind: 'dos' });
  const source = "mov ah,9\nmov dx,text\nint 21h\nmov ax,4c00h\nint 21h\ntext: db 'forty-two$'";
  expect(await call('program_run', { source, screen_text: 'forty-two', show: 'screen' })).toMatch(
    /^[\s\S]*loaded [0-9A-F]{4}:[\s\S]*forty-two/,
  );
  expect(await call('program_run', { source: 'mov ax,4c07h\nint 21h' })).toMatch(
    /loaded ([0-9A-F]{4}):0100-\1:0104, start \1:0100\n.*SOURCE\.COM\nit ended with exit code 7: DOS is at its prompt$/,
  );
  // On a computer that has much to do it is told that it is slow.
  expect(await call('program_run', { source: 'jmp $' })).toMatch(/\nit runs(, slowly on this computer: .*)?$/);
});

test('program_run waits from the first instruction on, on every kind', async () => {
  await call('machine_start', { kind: 'c64' });
  await call('machine_start', { kind: 'vic20' });
  await call('machine_start', { kind: 'plus4' });
  await call('machine_start', { kind: 'dos' });
  for (const machine of ['c64-1', 'vic20-1', 'plus4-1']) {
    const source = '* = $1c00\n ldx #0\nl inx\n bne l\nhere rts';
    const args = { machine, source };
    expect(await call('program_run', { ...args, condition: 'x == 7' })).toMatch(
      /condition x == 7 · [\d.]+ s real time$/,
    );
    expect(await call('program_run', { ...args, until: 'here', show: 'state' })).toMatch(/BREAKPOINT at \$1C05 here/);
  }
  const source = 'mov cx,9\nl: loop l\nhere: mov ax,4c07h\nint 21h';
  const dos = { machine: 'dos-1', source };
  expect(await call('program_run', { ...dos, condition: 'cx == 7' })).toMatch(/\nit has started\ncondition cx == 7/);
  await call('run', { machine: 'dos-1', screen_text: '/>\\s*$/' });
  expect(await call('program_run', { ...dos, until: 'here', show: 'state' })).toMatch(
    /BREAKPOINT at [0-9A-F]{4}:0105 here/,
  );
});

test('what has no programs of its own says how its guests get them', async () => {
  await call('machine_start', { kind: 'console', options: { command: ['cat'] } });
  expect(await call('program_run', { source: 'nop' })).toMatch(/has no program.*\nFix: Type its command: console_send/);
});

test('show is refused before anything is done where the machine has no screen', async () => {
  const { machine } = await rack.start('c64', rack.kind('c64').options.parse({}));
  Object.defineProperty(machine, 'screen', { value: undefined });
  const before = machine.status().time;
  expect(await call('run', { frames: 5, show: 'screen' })).toMatch(/^ERROR This machine has no screen/);
  expect(machine.status().time).toBe(before);
});

test('numbers may be numbers, and a text with two readings is refused with both', async () => {
  await call('machine_start', { kind: 'c64' });
  expect(await call('registers_write', { values: { A: 5 } })).toMatch(/A=05/);
  expect(await call('registers_write', { values: { A: true } })).toMatch(
    /^ERROR A: true is not a register value[\s\S]*\{"A":5\}/,
  );
  expect(await call('memory_read', { address: 1024, length: 1 })).toMatch(/\$0400/);
  expect(await call('memory_read', { address: '0400', length: 1 })).toMatch(
    /^ERROR "0400" can be read in two ways: decimal 400 or hexadecimal 1024\.\nFix: Write "400" or "0x0400"/,
  );
});

test('a wrong argument is answered with the right form', async () => {
  expect(await call('batch', { steps: 'run' })).toMatch(/Arguments it takes: steps: \[\{tool, arguments\}\]/);
  await call('machine_start', { kind: 'c64' });
  expect(await call('machine_stop')).toMatch(
    /^ERROR machine_stop: machine: missing, expected string\.\nFix: Arguments it takes: machine/,
  );
  expect(await call('memory_read', { address: 1, length: 'x' })).toMatch(
    /^ERROR memory_read: length: is string, expected number\./,
  );
  expect(await call('screen_read', { mode: 'loud' })).toMatch(/mode: auto\|text\|image\|both/);
});

test('a C64 is switched off and on without a question, and stopping it says what goes', async () => {
  await call('machine_start', { kind: 'c64' });
  expect(await call('machine_reset', { mode: 'hard' })).toMatch(/hard reset done/);
  await call('snapshot_save', { name: 'before' });
  await call('breakpoint_set', { address: '$c000' });
  expect(await call('machine_stop', { machine: 'c64-1' })).toBe(
    'c64-1 OFF · stopped. Gone with it: 1 snapshot (before); 1 breakpoint. No machine is running now.',
  );
});

test('files on a drive in memory, and names that belong to no program, go with the machine, and stopping it says so', async () => {
  await call('machine_start', { kind: 'dos' });
  await call('program_run', { source: 'ret', name: 'first', start: false });
  await call('input_send', { text: 'echo x > kept.txt\n' });
  await call('names_write', { name: 'here', address: '0x500' });
  expect(await call('machine_stop', { machine: 'dos-1' })).toMatch(
    /Gone with it: 1 name of addresses; \d files? written to C: \(.*KEPT\.TXT\)\./,
  );
});

test('a place without a name is told by its line alone', async () => {
  await call('machine_start', { kind: 'c64' });
  await call('program_run', { source: '* = $c000\n lda #5\n sta $0400\n rts' });
  await call('breakpoint_set', { address: '$0400', type: 'write' });
  expect(await call('run', { frames: 2 })).toContain('written by $C002 STA $0400 (source.asm:3), 20→05');
});
