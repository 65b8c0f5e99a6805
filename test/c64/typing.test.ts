import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { CommodoreEngine } from '../../src/machines/commodore/machine/commodore-engine.ts';
import { Desk } from './desk.ts';

/** SEI, about two seconds of counting, CLI, RTS: as the KERNAL waits for a drive. */
const deafForSeconds = '78a908a200a00088d0fdcad0f838e901d0f15860';

const machines = [
  { kind: 'c64', free: 0xc000, start: () => Desk.withC64() },
  { kind: 'vic20', free: 0x1c00, start: () => Desk.withVic20() },
  { kind: 'plus4', free: 0x3000, start: () => Desk.withPlus4() },
];

describe.each(machines)('text on a $kind', ({ free, start }) => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await start();
  });
  afterAll(() => desk.close());
  afterEach(() => vi.restoreAllMocks());

  const put = (bytes: string) => desk.call('memory_write', { address: `$${free.toString(16)}`, bytes, space: 'ram' });
  const shown = async () => {
    await desk.call('run', { frames: 60 });
    return desk.call('screen_read', { mode: 'text' });
  };

  test('waits for a program that does not look at the keyboard', async () => {
    await put(deafForSeconds);
    expect(await desk.call('input_send', { text: `sys${free}\nprint 7*6\n` })).toMatch(/^typed \d+ characters/);
    expect(await shown()).toMatch(/PRINT 7\*6\s+42\s+READY\./);
  });

  test('waits for room in the buffer of a program that does not read', async () => {
    await desk.call('input_send', { text: 'for i=1 to 5000:next\nprint 111111*3\n' });
    await desk.call('run', { frames: 300 });
    expect(await shown()).toMatch(/PRINT 111111\*3\s+333333\s+READY\./);
  });

  test('that takes too long is told, with how far it came, before the call is given up', async () => {
    let late = 0;
    const [now, run] = [performance.now.bind(performance), CommodoreEngine.prototype.run];
    vi.spyOn(performance, 'now').mockImplementation(() => now() + late);
    vi.spyOn(CommodoreEngine.prototype, 'run').mockImplementation(async function (
      this: CommodoreEngine,
      limits,
      signal,
    ) {
      const stop = await run.call(this, limits, signal);
      late += 2500;
      return stop;
    });
    const answer = await desk.call('input_send', { text: 'rem one two three' });
    const [, typed = ''] = /takes keys slowly: (\d+) of 17 characters were typed in 40 s/.exec(answer) ?? [];
    expect(Number(typed), answer).toBeGreaterThan(2);
    expect(late).toBeLessThan(55_000);
    vi.restoreAllMocks();
    await desk.call('input_send', { text: `${'rem one two three'.slice(Number(typed))}\n` });
    expect(await shown()).toMatch(/REM ONE TWO THREE\s+READY\./);
  });

  test('that a breakpoint ends does not count the key that nobody has looked at', async () => {
    await put(deafForSeconds);
    const end = free + deafForSeconds.length / 2 - 2;
    await desk.call('breakpoint_set', { address: `$${end.toString(16)}`, temporary: true });
    const text = `sys${free}\nprint 11*3\n`;
    const taken = text.indexOf('\n') + 1;
    const answer = await desk.call('input_send', { text });
    expect(answer).toMatch(new RegExp(`\\(breakpoint .*\\) when ${taken} of ${text.length} characters were typed`));
    await desk.call('input_send', { text: text.slice(taken) });
    expect(await shown()).toMatch(/PRINT 11\*3\s+33\s+READY\./);
  });

  test('is refused where nobody ever looks, with what was typed', async () => {
    await put(`784c${((free + 1) & 255).toString(16).padStart(2, '0')}${(free >> 8).toString(16)}`);
    const text = `sys${free}\nab`;
    const typed = text.length - 2;
    const answer = await desk.call('input_send', { text });
    const untaken = `took no key in \\d{3,4} frames; ${typed} of ${text.length} characters were typed\\.`;
    expect(answer).toMatch(new RegExp(untaken));
  });

  test('is refused in the same words where the time is over in the middle of a frame', async () => {
    // The program of the test before runs still.
    let calls = 0;
    const { run } = CommodoreEngine.prototype;
    vi.spyOn(CommodoreEngine.prototype, 'run').mockImplementation(async function (
      this: CommodoreEngine,
      limits,
      signal,
    ) {
      const stop = await run.call(this, limits, signal);
      calls += 1;
      return calls < 400 ? stop : { ...stop, reason: 'time limit' };
    });
    expect(await desk.call('input_send', { text: 'ab' })).toMatch(/took no key in [23]\d\d frames; 0 of 2 characters/);
  });
});
