import { expect, test } from 'vitest';
import { stateWords } from './fields.ts';
import { Mpu401 } from './mpu401.ts';

function card() {
  const sent: number[] = [];
  const chip = new Mpu401(new Int32Array(stateWords), { send: (byte) => sent.push(byte) });
  chip.powerOn();
  return { chip, sent };
}

test('reset and UART mode are acknowledged, and bytes go out from then on', () => {
  const { chip, sent } = card();
  expect(chip.read(0x331)).toBe(0xbf);
  chip.write(0x330, 0x90);
  chip.write(0x331, 0xff);
  expect([chip.read(0x331), chip.read(0x330), chip.read(0x331)]).toEqual([0x3f, 0xfe, 0xbf]);
  chip.write(0x331, 0x3f);
  expect(chip.read(0x330)).toBe(0xfe);
  for (const byte of [0x90, 60, 100]) chip.write(0x330, byte);
  expect(sent).toEqual([0x90, 60, 100]);
});

test('reset ends UART mode without an answer; other commands have none', () => {
  const { chip, sent } = card();
  chip.write(0x331, 0x3f);
  chip.read(0x330);
  chip.write(0x331, 0xff);
  expect([chip.isUart, chip.read(0x331), chip.read(0x330)]).toEqual([false, 0xbf, 0xff]);
  chip.write(0x331, 0xac);
  expect(chip.read(0x331)).toBe(0xbf);
  chip.write(0x330, 1);
  expect(sent).toEqual([]);
});
