import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Desk } from './desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await Desk.withC64();
});
afterAll(() => desk.close());

/** Notes once a frame what it reads at an address, from $4000 on. */
const recorder = (reads: string) => `* = $c000
        sei
        lda #$7f
        sta $dc0d
        ldy #0
frame   lda $d012
        bne frame
        lda $d011
        bmi frame
${reads}
        sta $4000,y
        iny
wait    lda $d012
        beq wait
        jmp frame
`;

describe('input_sequence', () => {
  const run = async (source: string) => expect(await desk.call('program_run', { source })).toMatch(/^loaded/);

  test('every change happens at its frame, and all is let go', async () => {
    await run(recorder('lda $dc00'));
    await desk.call('run', { frames: 3 });
    await desk.call('memory_write', { address: '$4000', bytes: '00'.repeat(32), space: 'ram' });
    await desk.call('registers_write', { values: { Y: '0' } });
    const answer = await desk.call('input_sequence', {
      steps: [
        { frame: 4, joystick: 2, directions: ['fire'] },
        { frame: 2, joystick: 2, directions: ['up', 'left'] },
        { frame: 5, joystick: 2, directions: [] },
      ],
      frames: 8,
    });
    expect(answer).toBe('3 of 3 steps in 8 of 8 frames');
    expect((await desk.bytes('$4000', 8)).toUpperCase()).toBe('7F7F7A7A6F7F7F7F');
  });

  test('keys are held as long as they are told', async () => {
    await desk.call('machine_reset');
    await desk.call('run', { frames: 200 });
    await desk.call('input_sequence', {
      steps: [
        { frame: 0, keys: ['a'] },
        { frame: 3, keys: [] },
        { frame: 6, keys: ['shift', 'b'] },
      ],
      frames: 9,
    });
    await desk.call('run', { frames: 3 });
    expect(await desk.call('screen_read')).toMatch(/^A/m);
    expect(await desk.call('input_sequence', { steps: [{ frame: 0, keys: ['hyper'] }] })).toMatch(/No key "hyper"/);
  });

  test('a breakpoint on the way ends it and says so', async () => {
    await run(recorder('lda $dc00'));
    await desk.call('run', { frames: 1 });
    await desk.call('breakpoint_set', { address: 'wait', temporary: true });
    expect(await desk.call('input_sequence', { steps: [{ frame: 3, joystick: 1, directions: ['up'] }] })).toMatch(
      /^0 of 1 steps in 0 of 6 frames; stopped on the way/,
    );
  });

  test('paddles: both knobs, both ports, buttons on left and right', async () => {
    await run(recorder('lda #$ff\n sta $dc02\n lda #$40\n sta $dc00\n lda $d419\n sta $4100,y\n lda $d41a'));
    const paddles = { port: 1, x: 40, y: 200, x_button: true };
    await desk.call('input_sequence', { steps: [{ frame: 0, paddles }], frames: 4 });
    expect(await desk.bytes('$4002', 1)).toBe('C8');
    expect(await desk.bytes('$4102', 1)).toBe('28');
    await desk.call('input_sequence', { steps: [{ frame: 0, paddles: { port: 2, x: 1, y: 2 } }], frames: 4 });
    expect(await desk.bytes('$4006', 1)).toBe('C8');
  });

  test('a mouse moves in steps of 64 and wraps', async () => {
    await run(recorder('lda #$ff\n sta $dc02\n lda #$40\n sta $dc00\n lda $d419\n sta $4100,y\n lda $dc01'));
    await desk.call('input_sequence', {
      steps: [
        { frame: 2, mouse: { dx: 10, dy: -5 } },
        { frame: 4, mouse: { dx: -20, buttons: ['left'] } },
      ],
      frames: 6,
    });
    const places = await desk.bytes('$4100', 6);
    const at = (frame: number) => (Number.parseInt(places.slice(frame * 2, frame * 2 + 2), 16) - 0x40) >> 1;
    expect((at(3) - at(1)) & 63).toBe(10);
    expect((at(5) - at(3)) & 63).toBe(44);
    expect(Number.parseInt(await desk.bytes('$4005', 1), 16) & 16).toBe(0);
    expect(await desk.call('input_sequence', { steps: [{ frame: 0, mouse: { dx: 40 } }] })).toMatch(/steps.0.mouse.dx/);
  });

  test('a light pen latches where it is held, once a frame', async () => {
    await desk.call('program_run', {
      source: `* = $c000
        sei
        lda #$ff
        sta $dc02
        sta $dc00
here    jmp here`,
    });
    for (const [x, y] of [
      [32, 35],
      [191, 150],
      [351, 234],
    ] as const) {
      await desk.call('input_sequence', { steps: [{ frame: 0, light_pen: { x, y } }], frames: 2 });
      const pen = await desk.bytes('$d013', 2, 'io');
      // The left edge of the text is sprite coordinate 24, its top is line 51.
      expect([Number.parseInt(pen.slice(0, 2), 16), Number.parseInt(pen.slice(2), 16)]).toEqual([
        (x - 32 + 24) >> 1,
        y - 35 + 51,
      ]);
    }
    expect(await desk.call('input_sequence', { steps: [{ frame: 0, light_pen: { x: 400, y: 1 } }] })).toMatch(
      /384x272 pixels; 400,1 is not on it/,
    );
  });
});

test('a breakpoint that is hit while text is typed ends the typing, and the answer says where', async () => {
  await desk.call('machine_reset');
  await desk.call('run', { frames: 200 });
  const address = '$c6';
  await desk.call('breakpoint_set', { type: 'write', address, condition: 'value == 1', temporary: true });
  const answer = await desk.call('input_send', { text: 'print 1' });
  expect(answer).toMatch(/Something stopped the machine \(breakpoint \d+.*\) when 1 of 7 characters were typed/);
  await desk.call('input_send', { text: 'rint 1\n' });
  expect(await desk.call('screen_read', { mode: 'text' })).toMatch(/PRINT 1\s+1\s+READY\./);
});
