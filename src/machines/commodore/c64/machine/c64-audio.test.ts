import { expect, test, vi } from 'vitest';
import { assemble } from '../../../../formats/commodore/assembler/assemble.ts';
import { bareHost } from '../../machine/host-testing.ts';
import { c64Roms } from '../../roms/c64-roms.generated.ts';
import { C64Board } from '../c64-board.ts';
import { C64Machine } from './c64-machine.ts';

const never = new AbortController().signal;
const wallMs = 20_000;

/** A tone of about 440 Hz whose volume follows a counter, so that the SID is written to again and again. */
const tone = `
* = $c000
        sei
        lda #$45
        sta $d400
        lda #$1d
        sta $d401
        lda #$f0
        sta $d406
        lda #$11
        sta $d404
loop    inx
        bne loop
        iny
        tya
        ora #$08
        and #$0f
        sta $d418
        jmp loop
`;

function machineWith(source: string): C64Machine {
  const host = bareHost();
  const machine = new C64Machine(new C64Board({ roms: c64Roms }), host, []);
  const { origin, bytes } = assemble(source);
  machine.control.input({ type: 'poke', bank: 'ram', address: origin, bytes });
  machine.control.input({ type: 'register', name: 'PC', value: origin });
  return machine;
}

const run = (machine: C64Machine, frames: number) => machine.control.run({ frames, wallMs }, never);
const loudest = (samples: Int16Array) => samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);

test('who listens hears what a capture records, in pieces, and the machine does not notice', async () => {
  const [captured, heard, quiet] = [machineWith(tone), machineWith(tone), machineWith(tone)];
  const { samples } = await captured.audio.capture(20, wallMs, never);
  const listening = heard.audio.listen();
  const pieces: number[] = [];
  for (let count = 0; count < 10; count++) {
    await run(heard, 2);
    pieces.push(...listening.take());
  }
  await run(quiet, 20);
  // A run ends where an instruction does, so ten of them are some cycles longer.
  expect(pieces.slice(0, samples.length)).toEqual([...samples.subarray(0, pieces.length)]);
  expect(Math.abs(pieces.length - samples.length)).toBeLessThan(3);
  expect(loudest(samples)).toBeGreaterThan(1000);
  await run(captured, 5);
  await run(quiet, 5);
  expect(Buffer.compare(captured.control.board.snapshot(), quiet.control.board.snapshot())).toBe(0);
});

test('a capture is the same whoever listens, and they hear it too', async () => {
  const [alone, watched] = [machineWith(tone), machineWith(tone)];
  const one = watched.audio.listen();
  const other = watched.audio.listen();
  await run(watched, 3);
  await run(alone, 3);
  one.take();
  const expected = await alone.audio.capture(10, wallMs, never);
  const { samples } = await watched.audio.capture(10, wallMs, never);
  expect(samples).toEqual(expected.samples);
  expect(one.take()).toEqual(samples);
  expect(other.take().subarray(-samples.length)).toEqual(samples);
});

test('nobody has to take it: the last second is kept, and nothing after the last one has left', async () => {
  const machine = machineWith(tone);
  const listening = machine.audio.listen();
  await run(machine, 60);
  expect(listening.take()).toHaveLength(listening.sampleRate);
  expect(listening.take()).toHaveLength(0);
  listening.close();
  await run(machine, 2);
  expect(listening.take()).toHaveLength(0);
});

test('the past that is run again is not heard', async () => {
  const machine = machineWith(tone);
  const listening = machine.audio.listen();
  await run(machine, 20);
  listening.take();
  await machine.control.run({ frames: 10, back: true, wallMs }, never);
  expect(listening.take()).toHaveLength(0);
  await run(machine, 5);
  expect(Math.abs(listening.take().length - 4400)).toBeLessThan(50);
});

test('a chip that nobody writes to for long is heard in pieces all the same', async () => {
  const machine = machineWith(tone.replace('sta $d418\n        jmp loop', 'sta $d418\nhere    jmp here'));
  await run(machine, 20);
  const { board } = machine.control;
  let [last, longest] = [board.cycles, 0];
  const listen = vi.spyOn(board, 'listen').mockImplementation(function heard(this: C64Board, listener) {
    longest = Math.max(longest, board.cycles - last);
    last = board.cycles;
    C64Board.prototype.listen.call(board, listener);
  });
  const { samples } = await machine.audio.capture(100, wallMs, never);
  listen.mockRestore();
  expect(loudest(samples)).toBeGreaterThan(1000);
  expect(longest).toBeLessThan(board.clockHz / 8);
});
