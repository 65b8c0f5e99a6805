import { afterEach, expect, test } from 'vitest';
import { makeRack } from '../../../../test/make-rack.ts';
import type { Rack } from '../../../rack/rack.ts';
import { dosKind } from '../dos-kind.ts';
import { DosMachine } from './dos-machine.ts';

const never = new AbortController().signal;
const wallMs = 20_000;
/** mov al,3 / out 61h,al / jmp $: the speaker, at the pitch that the BIOS has left. */
const beep = Uint8Array.from([0xb0, 0x03, 0xe6, 0x61, 0xeb, 0xfe]);
/** Registers and values for the AdLib card: one channel, both operators, 440 Hz, key on. */
const chord = [0x20, 0x01, 0x23, 0x01, 0x40, 0x10, 0x43, 0x00, 0x60, 0xf0, 0x63, 0xf0, 0xa0, 0x44, 0xb0, 0x32];
/** mov dx,388h / mov al,REGISTER / out dx,al / inc dx / mov al,VALUE / out dx,al, each; then jmp $. */
const adlib = Uint8Array.from([
  ...Array.from({ length: chord.length / 2 }, (_, index) => [
    ...[0xba, 0x88, 0x03, 0xb0, chord[index * 2] ?? 0, 0xee, 0x42],
    ...[0xb0, chord[index * 2 + 1] ?? 0, 0xee],
  ]).flat(),
  ...[0xeb, 0xfe],
]);

const racks: Rack[] = [];
afterEach(async () => {
  for (const rack of racks.splice(0)) await rack.close();
});

async function playing(bytes: Uint8Array): Promise<DosMachine> {
  const rack = makeRack([dosKind]);
  racks.push(rack);
  const { machine } = await rack.start('dos', {});
  if (!(machine instanceof DosMachine)) throw new Error('not a DOS machine');
  await machine.program.load({ format: 'com', bytes, name: 'play.com' }, true, never);
  return machine;
}

const run = (machine: DosMachine, frames: number) => machine.control.run({ frames, wallMs }, never);
const loudest = (samples: ArrayLike<number>) => Math.max(...Array.from(samples, Math.abs));

test.for([
  ['the speaker', beep],
  ['an AdLib card', adlib],
] as const)('%s: who listens hears what a capture records, and the machine goes on alike', async ([, program]) => {
  const [captured, heard] = [await playing(program), await playing(program)];
  const { samples } = await captured.audio.capture(6, wallMs, never);
  const listening = heard.audio.listen();
  const pieces: number[] = [];
  for (let count = 0; count < 3; count++) {
    await run(heard, 2);
    pieces.push(...listening.take());
  }
  expect(pieces.length).toBeGreaterThan(samples.length - 20);
  expect(pieces.slice(-2000)).toEqual([...samples.subarray(pieces.length - 2000, pieces.length)]);
  expect(loudest(samples)).toBeGreaterThan(1000);
  const memoryOf = ({ control }: DosMachine) => control.system.board.memory.ram;
  expect(Buffer.compare(memoryOf(heard), memoryOf(captured))).toBe(0);
  expect(heard.control.system.board.instructions).toBe(captured.control.system.board.instructions);
});

test('a capture is the same beside somebody who listens', async () => {
  const [alone, watched] = [await playing(beep), await playing(beep)];
  const listening = watched.audio.listen();
  await run(alone, 3);
  await run(watched, 3);
  listening.take();
  const expected = await alone.audio.capture(7, wallMs, never);
  expect((await watched.audio.capture(7, wallMs, never)).samples).toEqual(expected.samples);
  expect(listening.take().length).toBeGreaterThan(4000);
});

test('time that jumps, or that nobody took, is silence; it goes on from there', async () => {
  const machine = await playing(beep);
  const listening = machine.audio.listen();
  await run(machine, 14);
  listening.take();
  await machine.control.run({ frames: 7, back: true, wallMs }, never);
  expect(listening.take()).toHaveLength(0);
  await run(machine, 7);
  expect(Math.abs(listening.take().length - 4410)).toBeLessThan(8);
  await run(machine, 100);
  expect(listening.take()).toHaveLength(0);
  await run(machine, 7);
  expect(loudest(listening.take())).toBeGreaterThan(1000);
  listening.close();
  await run(machine, 7);
  // What came late when it was taken last is still there.
  expect(loudest([0, ...listening.take().subarray(8)])).toBe(0);
});
