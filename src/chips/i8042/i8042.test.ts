import { describe, expect, it } from 'vitest';
import { stateWords } from './fields.ts';
import { I8042 } from './i8042.ts';
import { keyBytes, keysFor, scanCodes } from './scan-codes.ts';

const IPS = 4_000_000;

function controller() {
  const state = new Int32Array(stateWords);
  const log: string[] = [];
  const clock = { now: 0 };
  const kbc = new I8042(state, {
    now: () => clock.now,
    instructionsPerSecond: IPS,
    keyboardIrq: (level) => log.push(`irq1=${level}@${clock.now}`),
    mouseIrq: (level) => log.push(`irq12=${level}`),
    a20: (level) => log.push(`a20=${level}`),
    reset: () => log.push('reset'),
  });
  kbc.powerOn();
  const runTo = (count: number) => {
    for (let next = kbc.nextEvent(); next <= count; next = kbc.nextEvent()) {
      clock.now = next;
      kbc.catchUp(next);
    }
    clock.now = count;
  };
  /** Everything it sends within a second, read as soon as it is there. */
  const drain = (span = IPS / 10) => {
    const bytes: number[] = [];
    const end = clock.now + span;
    while (clock.now < end) {
      if ((kbc.read(0x64) & 1) !== 0) bytes.push(kbc.read(0x60));
      runTo(Math.min(end, Math.max(clock.now + 1, kbc.nextEvent())));
    }
    return bytes;
  };
  return { kbc, state, log, clock, runTo, drain };
}

describe('8042', () => {
  it('hands a key on after a thousandth of a second and holds the next back until it is read', () => {
    const { kbc, log, runTo } = controller();
    kbc.key(scanCodes.a as number, true);
    kbc.key(scanCodes.a as number, false);
    runTo(3_999);
    expect(kbc.read(0x64) & 1).toBe(0);
    runTo(10_000);
    expect(log).toEqual(['irq1=1@4000']);
    expect([kbc.read(0x64) & 0x21, kbc.read(0x60)]).toEqual([1, 0x1e]);
    runTo(14_000);
    expect(kbc.read(0x60)).toBe(0x9e);
    expect(log).toEqual(['irq1=1@4000', 'irq1=0@10000', 'irq1=1@14000', 'irq1=0@14000']);
    expect(kbc.nextEvent()).toBe(Number.POSITIVE_INFINITY);
  });

  it('repeats a held key after half a second, 10.9 times a second, and not the shift key', () => {
    const { kbc, drain } = controller();
    kbc.key(scanCodes.x as number, true);
    const bytes = drain(IPS);
    expect(bytes.every((byte) => byte === 0x2d)).toBe(true);
    expect(bytes.length).toBe(1 + 1 + 5);
    kbc.key(scanCodes.x as number, false);
    kbc.key(scanCodes.shift as number, true);
    expect(drain(IPS)).toEqual([0xad, 0x2a]);
  });

  it('answers commands: self test, command byte, interface switches', () => {
    const { kbc, drain } = controller();
    kbc.write(0x64, 0xaa);
    expect(kbc.read(0x60)).toBe(0x55);
    kbc.write(0x64, 0x20);
    expect(kbc.read(0x60)).toBe(0x47);
    kbc.write(0x64, 0x60);
    kbc.write(0x60, 0x45);
    kbc.write(0x64, 0x20);
    expect(kbc.read(0x60)).toBe(0x45);
    kbc.write(0x64, 0xad);
    kbc.key(scanCodes.b as number, true);
    kbc.key(scanCodes.b as number, false);
    expect(drain()).toEqual([]);
    kbc.write(0x64, 0xae);
    expect(drain()).toEqual([0x30, 0xb0]);
    kbc.write(0x64, 0xd2);
    kbc.write(0x60, 0x77);
    expect(kbc.read(0x60)).toBe(0x77);
  });

  it('switches A20 by output port and port 92h, and resets', () => {
    const { kbc, log } = controller();
    kbc.write(0x64, 0xd1);
    kbc.write(0x60, 0xdf);
    expect(kbc.a20).toBe(true);
    expect(kbc.readPort92()).toBe(2);
    kbc.writePort92(0);
    kbc.write(0x64, 0xfe);
    expect(log).toEqual(['a20=1', 'a20=0', 'reset']);
  });

  it('takes keyboard commands', () => {
    const { kbc, drain } = controller();
    kbc.write(0x60, 0xed);
    expect(drain()).toEqual([0xfa]);
    kbc.write(0x60, 0x02);
    expect([drain(), kbc.leds]).toEqual([[0xfa], 2]);
    kbc.write(0x60, 0xf2);
    expect(drain()).toEqual([0xfa, 0xab, 0x41]);
    kbc.write(0x60, 0xff);
    expect(drain()).toEqual([0xfa, 0xaa]);
    kbc.write(0x60, 0xee);
    expect(drain()).toEqual([0xee]);
    kbc.write(0x60, 0x12);
    expect(drain()).toEqual([0xfe]);
  });

  it('sends mouse packets with signs, split when they are long, only when asked to report', () => {
    const { kbc, drain, log } = controller();
    const toMouse = (value: number) => {
      kbc.write(0x64, 0xd4);
      kbc.write(0x60, value);
    };
    kbc.moveMouse(5, 5, 0);
    expect(drain()).toEqual([]);
    toMouse(0xff);
    expect(drain()).toEqual([0xfa, 0xaa, 0]);
    toMouse(0xf4);
    expect(drain()).toEqual([0xfa]);
    kbc.moveMouse(3, 4, 1);
    expect(drain()).toEqual([0x29, 3, 0xfc]);
    kbc.moveMouse(300, 0, 0);
    expect(drain()).toEqual([0x08, 255, 0, 0x08, 45, 0]);
    expect(log.filter((line) => line === 'irq12=1').length).toBe(4 + 3 + 6);
    toMouse(0xe9);
    expect(drain()).toEqual([0xfa, 0x20, 2, 100]);
  });

  it('knows which keys are down, also those that it has not sent', () => {
    const { kbc, drain } = controller();
    const names = Object.keys(scanCodes);
    const down = () => names.filter((name) => kbc.isKeyDown(scanCodes[name] as number));
    for (const name of names) {
      kbc.key(scanCodes[name] as number, true);
      expect(down()).toEqual([name]);
      kbc.key(scanCodes[name] as number, false);
      expect(down()).toEqual([]);
      drain();
    }
    kbc.write(0x60, 0xf5);
    kbc.key(scanCodes.a as number, true);
    expect(down()).toEqual(['a']);
    kbc.key(scanCodes.a as number, true);
    kbc.key(scanCodes.up as number, true);
    expect(down()).toEqual(['a', 'up']);
  });

  it('goes on alike from a copy of its words', () => {
    const { kbc, state, clock } = controller();
    kbc.key(scanCodes.up as number, true);
    const twin = new I8042(state.slice(), {
      now: () => clock.now,
      instructionsPerSecond: IPS,
      keyboardIrq() {},
      mouseIrq() {},
      a20() {},
      reset() {},
    });
    expect(twin.nextEvent()).toBe(4_000);
    for (const one of [kbc, twin]) {
      clock.now = 4_000;
      one.catchUp(4_000);
    }
    expect([kbc.read(0x60), twin.read(0x60)]).toEqual([0xe0, 0xe0]);
  });
});

describe('scan codes', () => {
  it('know the keys of a character and the bytes of odd keys', () => {
    expect(keysFor('a')).toEqual(['a']);
    expect(keysFor('A')).toEqual(['shift', 'a']);
    expect(keysFor('?')).toEqual(['shift', '/']);
    expect(keysFor('<')).toEqual(['shift', ',']);
    expect(keysFor('\n')).toEqual(['enter']);
    expect(keysFor('é')).toBeUndefined();
    expect(keyBytes(scanCodes.pause as number, true)).toEqual([0xe1, 0x1d, 0x45, 0xe1, 0x9d, 0xc5]);
    expect(keyBytes(scanCodes.right as number, false)).toEqual([0xe0, 0xcd]);
  });
});
