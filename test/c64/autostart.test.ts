import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { outcomeText } from '../../src/api/outcome-text.ts';
import { assemble } from '../../src/formats/commodore/assembler/assemble.ts';
import { tokenise } from '../../src/formats/commodore/basic/tokenise.ts';
import { tapOf } from '../../src/formats/commodore/media/cbm-tape-testing.ts';
import { CommodoreDisk } from '../../src/formats/commodore/media/commodore-disk.ts';
import { writeCrt } from '../../src/formats/commodore/media/crt.ts';
import type { Host } from '../../src/machine/host.ts';
import { c64Options } from '../../src/machines/commodore/c64/c64-kind.ts';
import { startC64 } from '../../src/machines/commodore/c64/machine/start-c64.ts';
import { settings } from '../make-rack.ts';
import { Desk } from './desk.ts';

let desk: Desk;
const folder = mkdtempSync(join(tmpdir(), 'fp-auto-'));
beforeEach(async () => {
  desk = await Desk.withC64();
});
afterEach(() => desk.close());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string, bytes: Uint8Array) => {
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
};
const prg = (source: string) => {
  const { origin, bytes, errors } = assemble(source);
  expect(errors).toEqual([]);
  return Uint8Array.of(origin & 255, origin >> 8, ...bytes);
};
const diskWith = (name: string, bytes?: Uint8Array) => {
  const disk = CommodoreDisk.create('d64', 'WORK', 'FP');
  if (bytes) disk.write('FIRST', bytes);
  return file(name, disk.image.bytes);
};
const basic = (text: string) => tokenise(text, { letters: 'upper' }).bytes;
const screen = () => desk.call('screen_read');
const hello = { source: '10 print "it runs"\n', language: 'basic' };
const wasReset = /the machine was busy and has been reset/;

describe('program_run', () => {
  test('of a disk asks for the first file on it, and not for the one that was used last', async () => {
    await desk.call('program_run', { path: diskWith('one.d64', basic('10 PRINT "ONE RUNS"\n')) });
    await desk.call('run', { screen_text: 'ONE RUNS' });
    await desk.call('program_run', { path: diskWith('two.d64', basic('10 PRINT "TWO RUNS"\n')) });
    await desk.call('run', { screen_text: 'TWO RUNS' });
    // To a 1541 "*" alone is the file of before.
    expect(await screen()).toMatch(/^LOAD":\*",8,1\s[^"]*RUN\s*\nTWO RUNS/m);
  });

  test('finds room for LOAD after a program at the end of memory', async () => {
    const path = diskWith('high.d64', prg('* = $c000\n inc $d020\n rts'));
    expect(await desk.call('program_run', { path })).toMatch(/run to its end/);
    await desk.call('program_run', { path: diskWith('low.d64', basic('10 PRINT "LOW RUNS"\n')) });
    await desk.call('run', { screen_text: 'LOW RUNS' });
  });

  test('resets where interrupts would go into what it overwrites', async () => {
    const handler = ' sei\n lda #<irq\n ldx #>irq\n sta $314\n stx $315\n cli\n rts\nirq inc $d020\n jmp $ea31';
    await desk.call('program_run', { source: `* = $1000\n${handler}`, frames: 5 });
    expect(await desk.call('program_run', { source: '* = $2000\n rts', frames: 5 })).not.toMatch(/reset/);
    const again = await desk.call('program_run', { source: `* = $1000\n jsr $e544\n${handler}`, frames: 5 });
    expect(again).toMatch(
      /^interrupts were still served at \$100D, which this program overwrites: the machine has been reset$/m,
    );
    expect(await desk.call('program_run', { path: diskWith('irq.d64', basic('10 PRINT 1\n')) })).toMatch(
      /at \$1010, which/,
    );
  });

  test('refuses to start what the processor does not see, and loads it', async () => {
    const source = '* = $a000\n inc $d020\n rts';
    expect(await desk.call('program_run', { source })).toMatch(
      /begins at \$A000, where the processor sees ROM and not the RAM/,
    );
    expect(await desk.call('program_run', { source, start: false })).toMatch(/^loaded \$A000-\$A003, start \$A000$/m);
  });

  test.each([
    ['BASIC had been moved to $1001', 'POKE 44,16:POKE 4096,0:NEW'],
    ['the keyboard buffer had been switched off', 'POKE 649,0'],
  ])('of BASIC resets a machine on which %s', async (what, source) => {
    await desk.call('program_run', { source: `10 ${source}\n`, language: 'basic' });
    expect(await desk.call('program_run', hello)).toContain(`${what}: the machine has been reset`);
    await desk.call('run', { screen_text: 'IT RUNS' });
  });

  test.each([
    ['a bitmap', 'POKE 53265,59'],
    ['other text', 'POKE 53272,53'],
  ])('knows of an error while the picture shows %s', async (_, source) => {
    const answer = await desk.call('program_run', { source: `10 ${source}:A=1/0\n`, language: 'basic' });
    expect(answer).toMatch(/^FAILED[\s\S]*it ran and ended with \?DIVISION BY ZERO ERROR IN 10$/m);
  });

  test('leaves what stands on the input line', async () => {
    await desk.call('input_send', { text: 'PRINT 12345' });
    const answer = await desk.call('program_run', hello);
    expect(answer).toMatch(/text on the input line was left there/);
    expect(answer).not.toMatch(wasReset);
    await desk.call('run', { frames: 20 });
    expect(await screen()).toMatch(/^PRINT 12345\s*\nRUN\s*\nIT RUNS/m);
  });

  test.each([
    ['a program in machine code', { source: '* = $c000\nloop inc $d020\n jmp loop' }],
    ['one with interrupts off', { source: '* = $c000\n sei\nloop inc $d020\n jmp loop' }],
    ['one that has jammed', { source: '* = $c000\n jam' }],
    ['one that reads the keyboard', { source: '* = $c000\nloop jsr $ffcf\n jmp loop' }],
    [
      'one that catches resets',
      { source: `* = $8000\n .word start, start\n .byte $c3, $c2, $cd, $38, $30\nstart jmp start` },
    ],
    ['a program in BASIC', { source: '10 goto 10\n', language: 'basic' }],
    ['one that asks for something', { source: '10 input a\n', language: 'basic' }],
  ])('resets a machine that is busy with %s, and starts both BASIC and machine code', async (_, busy) => {
    for (const [program, sign] of [
      [hello, /IT RUNS/],
      [
        { source: '* = $c100\n lda #1\n sta $0400\nwait lda $a2\n cmp $a2\n beq *-2\n lda #2\n sta $0401\n rts' },
        /^AB/m,
      ],
    ] as const) {
      // Where the program is catches resets itself, PC is all that leads there.
      const isTrap = busy.source.includes('$8000');
      await desk.call('program_run', { ...busy, start: !isTrap });
      if (isTrap) await desk.call('registers_write', { values: { PC: 'start' } });
      await desk.call('run', { frames: 30 });
      expect(await desk.call('program_run', program)).toMatch(wasReset);
      await desk.call('run', { frames: 60 });
      expect(await screen()).toMatch(sign);
    }
  });

  test('leaves a machine at its prompt as it is, and stops nowhere on the way there', async () => {
    await desk.call('input_send', { text: 'A=77\n' });
    expect(await desk.call('program_run', { source: '* = $c000\n rts' })).not.toMatch(wasReset);
    await desk.call('run', { frames: 20 });
    await desk.call('input_send', { text: 'PRINT A\n' });
    expect(await screen()).toMatch(/^ 77/m);
    await desk.call('program_run', { source: '* = $c000\nloop jmp loop' });
    await desk.call('run', { frames: 5 });
    await desk.call('breakpoint_set', { address: 'RESET_VECTOR', type: 'read' });
    expect(await desk.call('program_run', hello)).toMatch(wasReset);
  });

  test('on a machine that has not booted waits for BASIC, or starts machine code at once', async () => {
    const bare = await Desk.withC64({ boot: false });
    expect(await bare.call('program_run', { source: '* = $c000\nloop jmp loop' })).toMatch(/start \$C000/);
    expect((await bare.data('state_read')).pc).toBe(0xc000);
    await bare.call('machine_reset', { mode: 'hard' });
    expect(await bare.call('program_run', hello)).not.toMatch(wasReset);
    await bare.call('run', { frames: 20 });
    expect(await bare.call('screen_read')).toMatch(/IT RUNS/);
    await bare.close();
  });
});

test.each([
  ['c64', 'soft', 0x0801],
  ['c64', 'hard', 0x0801],
  ['vic20', 'soft', 0x1001],
  ['plus4', 'soft', 0x1001],
] as const)(
  'a %s that has just had a %s reset is waited for before a program comes',
  async (kind, mode, loadAddress) => {
    await desk.close();
    const start = { c64: () => Desk.withC64(), vic20: () => Desk.withVic20(), plus4: () => Desk.withPlus4() };
    desk = await start[kind]();
    const { bytes } = tokenise('10 PRINT "IT RAN"', { letters: 'upper', loadAddress });
    const run = async () => {
      const answer = await desk.call('program_run', { path: file('ran.prg', bytes) });
      expect(answer).toMatch(/it has run to its end/);
      expect(answer).not.toMatch(/busy/);
      expect(await screen()).toMatch(/RUN\s*\nIT RAN/);
    };
    await run();
    await desk.call('machine_reset', { mode });
    await run();
  },
);

describe('what became of a program', () => {
  test('is told: it runs, it has ended, or it has failed and why', async () => {
    expect(await desk.call('program_run', { source: '10 goto 10\n', language: 'basic' })).toMatch(/\nit runs$/);
    expect(await desk.call('program_run', { source: '10 input a\n', language: 'basic' })).toMatch(/\nit runs$/);
    expect(await desk.call('program_run', hello)).toMatch(/it has run to its end: BASIC is at its prompt$/);
    const broken = { source: '10 print "a"\n20 pront\n', language: 'basic' };
    expect(await desk.call('program_run', broken)).toMatch(
      /^FAILED · loaded .*it ran and ended with \?SYNTAX ERROR IN 20$/s,
    );
    const { started, failure } = await desk.data('program_run', broken);
    expect([started, failure]).toEqual([true, '?SYNTAX ERROR IN 20']);
    const stub = '* = $0801\n .word next, 10\n .byte $9e, "2061", 0\nnext .word 0\nloop inc $d020\n jmp loop';
    expect(await desk.call('program_run', { source: stub })).toMatch(/\nit runs$/);
    await desk.call('breakpoint_set', { address: 'loop' });
    expect(await desk.call('program_run', { source: stub })).toMatch(/it started and was stopped by breakpoint 1/);
    expect((await desk.data('state_read')).pc).toBe(0x80d);
    await desk.call('breakpoint_delete', { id: 1 });
    const jams = stub.replace('loop inc $d020', 'loop jam');
    expect(await desk.call('program_run', { source: jams })).toMatch(/it crashed: .*jammed by opcode/);
  });

  test('on a disk is told too, and each of its programs can be chosen', async () => {
    const disk = CommodoreDisk.create('d64', 'WORK', 'FP');
    disk.write('FIRST', basic('10 PRONT\n'));
    disk.write('SECOND ONE', basic('10 PRINT "SECOND"\n20 GOTO 20\n'));
    const path = file('two.d64', disk.image.bytes);
    expect(await desk.call('program_run', { path })).toMatch(/it ran and ended with \?SYNTAX ERROR IN 10$/);
    const caller = { client: 'test', role: 'own' as const, signal: new AbortController().signal, progress: () => {} };
    const autostart = async (args: Record<string, unknown>) =>
      desk.host.call('program_autostart', args, { ...caller, via: 'vice.files.autostart' });
    const second = await autostart({ path, index: 1 });
    expect(second).toMatchObject({ answer: { data: { started: true } } });
    expect(await screen()).toMatch(/LOAD"SECOND ONE",8,1[\s\S]*RUN\s+SECOND/);
    expect(outcomeText(await autostart({ path, index: 2 }))).toMatch(/There is no program 2.*\n.*Use 0 to 1/s);
  });

  test('and a machine that ran freely goes on doing so', async () => {
    const free = await Desk.withC64({ clock: 'warp' });
    for (const args of [hello, { source: '* = $c000\nloop inc $d020\n jmp loop' }]) {
      await free.call('program_run', args);
      expect(outcomeText(await free.outcome('machine_list'))).toMatch(/c64-1 RUNNING/);
    }
    await free.close();
  });
});

describe('a disk', () => {
  // Over BASIC's vectors: LOAD never comes back.
  const selfStarting = '* = $02a7\nboot inc $d020\n jmp boot\n* = $0300\n .word $02a7, $02a7';

  test('whose program starts on its own is not waited for', async () => {
    const path = diskWith('self.d64', prg(selfStarting));
    expect(await desk.call('program_run', { path })).toMatch(/^loaded \$02A7-\$0303\n.*it has started on its own$/s);
    expect((await desk.data('state_read')).pc).toBeLessThan(0x300);
  });

  test('is loaded before any breakpoint counts, and those of the program do from its first instruction on', async () => {
    for (const spec of [
      { type: 'raster', options: { line: 100 } },
      { type: 'irq' },
      { type: 'write', address: '$D020' },
      { type: 'write', address: '$0090', log_only: true, options: { frames: 2 } },
    ]) {
      await desk.call('breakpoint_set', spec);
    }
    const stub = '* = $0801\n .word next, 10\n .byte $9e, "2061", 0\nnext .word 0\nloop inc $d020\n jmp loop';
    expect(await desk.call('program_run', { path: diskWith('stub.d64', prg(stub)) })).toMatch(
      /it started and was stopped by breakpoint [123]/,
    );
    const { breakpoints } = (await desk.data('breakpoint_list')) as { breakpoints: readonly unknown[] };
    expect(breakpoints[3]).toMatchObject({ enabled: true, hits: 0 });
    for (const id of [2, 3, 4]) await desk.call('breakpoint_delete', { id });
    await desk.call('breakpoint_set', { address: '$02A7' });
    const path = diskWith('self.d64', prg(selfStarting));
    expect(await desk.call('program_run', { path })).toMatch(
      /it has started on its own, and was stopped by breakpoint \d+, exec$/,
    );
    expect((await desk.data('state_read')).pc).toBe(0x2a7);
  });

  test('with BASIC is run, with machine code called', async () => {
    expect(await desk.call('program_run', { path: diskWith('b.d64', basic('10 PRINT "FROM DISK"\n')) })).toMatch(
      /^loaded \$0801-\$08/,
    );
    await desk.call('run', { frames: 20 });
    expect(await screen()).toMatch(/^FROM DISK/m);
    const path = diskWith('m.d64', prg('* = $c000\n lda #1\n sta $0400\n rts'));
    expect(await desk.call('program_run', { path })).toMatch(/^loaded \$C000-\$C005, start \$C000/);
    await desk.call('run', { frames: 20 });
    expect(await screen()).toMatch(/^A/m);
  });

  test('with nothing to load says so', async () => {
    expect(await desk.call('program_run', { path: diskWith('empty.d64') })).toMatch(/failed: \?FILE NOT FOUND/);
  });

  test('and a busy machine', async () => {
    await desk.call('program_run', { source: '* = $c000\nloop jmp loop' });
    await desk.call('run', { frames: 5 });
    const path = diskWith('b.d64', basic('10 PRINT "FROM DISK"\n'));
    expect(await desk.call('program_run', { path })).toMatch(wasReset);
    await desk.call('run', { frames: 20 });
    expect(await screen()).toMatch(/^FROM DISK/m);
  });
});

describe('media', () => {
  const crt = (hardware: number) =>
    writeCrt({
      name: 'TEST',
      version: 0x100,
      hardware,
      hardwareName: '',
      exrom: 0,
      game: 1,
      chips: [{ type: 'rom', bank: 0, address: 0x8000, size: 0x2000, bytes: new Uint8Array(0x2000) }],
    });

  test('go where they belong without being told', async () => {
    const tape = file('t.tap', tapOf('T', 0x801, basic('10 PRINT\n').subarray(2)));
    expect(await desk.call('media_attach', { path: tape })).toMatch(/^tape: tape of/);
    expect(await desk.call('media_attach', { path: diskWith('d.d64') })).toMatch(/^drive8: disk "WORK"/);
    expect(await desk.call('media_attach', { path: file('c.crt', crt(0)) })).toMatch(/^cartridge: cartridge "TEST"/);
    expect(await desk.call('media_attach', { path: file('x.txt', new Uint8Array(3)) })).toMatch(
      /not a known type of file/,
    );
  });

  test('breakpoints count from the first instruction of a cartridge, or of a program on tape', async () => {
    const rom = new Uint8Array(0x2000);
    rom.set([0x09, 0x80, 0x09, 0x80, 0xc3, 0xc2, 0xcd, 0x38, 0x30, 0xee, 0x20, 0xd0, 0x4c, 0x09, 0x80]);
    const image = writeCrt({
      ...{ name: 'START', version: 0x100, hardware: 0, hardwareName: '', exrom: 0, game: 1 },
      chips: [{ type: 'rom', bank: 0, address: 0x8000, size: 0x2000, bytes: rom }],
    });
    await desk.call('breakpoint_set', { type: 'raster', options: { line: 100 } });
    await desk.call('breakpoint_set', { address: '$8009', temporary: true });
    expect(await desk.call('program_run', { path: file('start.crt', image) })).toMatch(/stopped: breakpoint 2, exec/);
    expect((await desk.data('state_read')).pc).toBe(0x8009);
    await desk.call('media_detach', { slot: 'cartridge' });
    await desk.call('run', { frames: 1 });
    const stub = '* = $0801\n .word next, 10\n .byte $9e, "2061", 0\nnext .word 0\nloop inc $d020\n jmp loop';
    const tape = file('stub.tap', tapOf('T', 0x801, prg(stub).subarray(2)));
    expect(await desk.call('program_run', { path: tape })).toMatch(
      /it started and was stopped by breakpoint 1, raster/,
    );
    const { breakpoints } = (await desk.data('breakpoint_list')) as { breakpoints: readonly { hits: number }[] };
    expect(breakpoints).toMatchObject([{ hits: 2 }]);
  });

  test('that are not emulated, or broken, are named with the reason', async () => {
    const path = file('card.crt', crt(37));
    const refusal =
      /type 37 \(MMC64\), whose hardware is not emulated: it needs an SD card.*\nFix: These are: Normal cartridge, Action/;
    expect(await desk.call('media_attach', { path })).toMatch(refusal);
    expect(await desk.call('program_run', { path })).toMatch(refusal);
    expect(await desk.call('media_attach', { path: file('cut.crt', crt(0).subarray(0, 100)) })).toMatch(/is cut short/);
    expect(
      await desk.call('media_attach', { path: file('t.tap', tapOf('T', 1, new Uint8Array(1)).subarray(0, 14)) }),
    ).toMatch(/ERROR .*t\.tap: no TAP image/);
    // What was in before still is, and still works.
    expect(await desk.call('media_attach')).toMatch(/cartridge \(CRT\): empty/);
  });

  test('a disk whose directory cannot be read goes in all the same', async () => {
    const disk = CommodoreDisk.create('d64', 'WORK', 'FP');
    disk.image.sector(18, 1).set([18, 1]);
    expect(await desk.call('media_attach', { path: file('odd.d64', disk.image.bytes) })).toMatch(/cannot be read/);
  });

  test('PLAY needs a tape', async () => {
    expect(await desk.call('input_send', { keys: ['tape_play'] })).toMatch(
      /no tape in the datasette.*\nFix: .*media_attach/,
    );
  });

  test('RUN/STOP has the name that is printed on it', async () => {
    await desk.call('program_run', { source: '10 goto 10\n', language: 'basic' });
    await desk.call('run', { frames: 5 });
    await desk.call('input_send', { keys: ['run_stop'] });
    await desk.call('run', { frames: 10 });
    expect(await screen()).toMatch(/BREAK\s+IN 10/);
  });

  test('a fast loader that needs a drive with a processor is told of', async () => {
    await desk.call('media_attach', { path: diskWith('fast.d64') });
    await desk.call('program_run', { source: '10 open 15,8,15,"m-e"+chr$(0)+chr$(5):close 15\n', language: 'basic' });
    await desk.call('run', { frames: 60 });
    const hint = /drive8: a fast loader wants to run a program in the drive, which only "drives":"1541" can/;
    const list = async () => outcomeText(await desk.outcome('machine_list'));
    expect(await list()).toMatch(hint);
    expect(await desk.call('events_read')).toMatch(hint);
    await desk.call('media_attach', { path: diskWith('other.d64') });
    expect(await list()).not.toMatch(hint);
  });
});

test('a machine that could not boot in time says so, and goes on', async () => {
  const host: Partial<Host> = {
    report: () => {},
    settings,
    signal: new AbortController().signal,
  };
  const machine = await startC64(c64Options.parse({}), host as Host, 1);
  const said = machine.introduction().at(-1) ?? '';
  expect(said).toMatch(/^It is still booting: \d+ of 150 frames in 0.001 s\. Run it for \d+ more frames\.$/);
  const [, frames] = /(\d+) more frames/.exec(said) ?? [];
  await machine.control.run({ frames: Number(frames), wallMs: 60_000 }, new AbortController().signal);
  expect((await machine.screen.text())?.lines.join('\n')).toMatch(/^READY\./m);
});
