import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

  test('is refused where nobody ever looks, with what was typed', async () => {
    await put(`784c${((free + 1) & 255).toString(16).padStart(2, '0')}${(free >> 8).toString(16)}`);
    const text = `sys${free}\nab`;
    const typed = text.length - 2;
    const answer = await desk.call('input_send', { text });
    expect(answer).toContain(
      `The program took no key in 1500 frames; ${typed} of ${text.length} characters were typed.`,
    );
  });
});
