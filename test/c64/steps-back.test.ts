import { afterEach, beforeEach, expect, test } from 'vitest';
import { Desk } from './desk.ts';

let desk: Desk;
beforeEach(async () => {
  desk = await Desk.withC64({ boot: false });
});
afterEach(() => desk.close());

async function run(source: string): Promise<void> {
  await desk.call('program_run', { source: `* = $c000\n${source}`, start: false });
  await desk.call('registers_write', { values: { PC: '$c000' } });
}

interface Stepped {
  readonly pc: string;
  readonly stop: { readonly cause: string; readonly reason: string };
}

const step = async (kind: string, back = false, count = 1): Promise<Stepped> =>
  (await desk.data('step', { kind, back, count })) as unknown as Stepped;
const back = async (kind: string, count = 1) => {
  const { pc, stop } = await step(kind, true, count);
  return [Number(pc), stop.cause, stop.reason];
};
const to = (until: string) => desk.call('run', { until });

test('over what was called, as deep as that went', async () => {
  await run(
    '  sei\n  jsr outer\n  inx\nend jmp end\nouter jsr inner\n  pha\n  jsr inner\n  pla\n  rts\ninner iny\n  php\n  plp\n  rts',
  );
  await to('end');
  expect(await back('over')).toEqual([0xc004, 'step', 'step back over']);
  expect(await back('over')).toEqual([0xc001, 'step', 'step back over']);
  await to('end');
  expect(await back('over', 3)).toEqual([0xc000, 'step', '3 steps back over']);
});

test('out to the call of the routine under way, whatever it has called and pushed before', async () => {
  await run(
    '  sei\n  jsr outer\nend jmp end\nouter jsr inner\n  pha\n  pha\n  pha\nhere jsr inner\n  pla\n  pla\n  pla\n  rts\ninner iny\n  rts',
  );
  await to('here');
  expect(await back('out')).toEqual([0xc001, 'step', 'step back out']);
  await to('inner');
  await to('inner');
  expect(await back('out', 2)).toEqual([0xc001, 'step', '2 steps back out']);
});

test('a return that is a jump has been called by nobody: one instruction', async () => {
  await run(
    '  sei\n  jsr outer\nend jmp end\nouter lda #>(there-1)\n  pha\n  lda #<(there-1)\n  pha\njump rts\nthere nop\n  rts',
  );
  await to('there');
  const [jumped] = await back('over');
  expect(await desk.call('disassemble', { address: `$${Number(jumped).toString(16)}`, count: 1 })).toMatch(/rts/i);
  await to('there');
  expect(await back('out')).toEqual([0xc001, 'step', 'step back out']);
});

test('over and out of an interrupt', async () => {
  await run(
    '  sei\n  lda #$7f\n  sta $dc0d\n  lda #$2f\n  sta 0\n  lda #$35\n  sta 1\n  lda #<irq\n  sta $fffe\n  lda #>irq\n  sta $ffff\n  lda #80\n  sta $dc04\n' +
      '  lda #0\n  sta $dc05\n  lda #$81\n  sta $dc0d\n  lda #$19\n  sta $dc0e\n  cli\nloop nop\n  nop\n  nop\n  jmp loop\n' +
      'irq inc $d020\n  jsr sub\n  bit $dc0d\nlast rti\nsub rts',
  );
  await to('last');
  const after = await step('into');
  // The instruction before the one that was interrupted, in the loop.
  const [before] = await back('over');
  const loop = Number(
    ((await desk.data('memory_read', { address: 'loop', length: 1 })) as { address: string }).address,
  );
  expect(Number(before)).toBeGreaterThanOrEqual(loop);
  expect(Number(before)).toBeLessThan(loop + 6);
  expect(Number(before)).not.toBe(Number(after.pc));
  await to('last');
  const [interrupted, cause, reason] = await back('out');
  expect([interrupted, cause, reason]).toEqual([Number(after.pc), 'step', 'step back out of an interrupt']);
});

test('where nothing was called the machine stays', async () => {
  await run('  sei\n  ldx #$ff\n  txs\nend jmp end');
  await to('end');
  const { pc } = await step('into');
  const [there, cause, reason] = await back('out');
  expect(there).toBe(Number(pc));
  expect([cause, reason]).toEqual(['limit', 'the beginning of what is remembered']);
});

test('a reset has called nothing', async () => {
  await desk.call('run', { frames: 3 });
  await run('  sei\n  ldx #$ff\n  txs\nend jmp end');
  await to('end');
  const { pc } = await step('into');
  expect(await back('out')).toEqual([Number(pc), 'limit', 'no call is remembered that led here']);
});
