import { describe, expect, it } from 'vitest';
import { stateWords } from './fields.ts';
import { type CalendarTime, Mc146818 } from './mc146818.ts';

const IPS = 4_000_000;
const start: CalendarTime = { year: 1999, month: 12, day: 31, hour: 23, minute: 59, second: 58 };

function clock(time = start) {
  const state = new Int32Array(stateWords);
  const machine = { now: 0 };
  const irqs: [number, number][] = [];
  const rtc = new Mc146818(state, {
    now: () => machine.now,
    instructionsPerSecond: IPS,
    irq: (level) => irqs.push([machine.now, level]),
  });
  rtc.powerOn(time);
  const get = (index: number) => {
    rtc.write(0, index);
    return rtc.read(1);
  };
  const set = (index: number, value: number) => {
    rtc.write(0, index);
    rtc.write(1, value);
  };
  const runTo = (count: number, onIrq = () => {}) => {
    for (let next = rtc.nextEvent(); next <= count; next = rtc.nextEvent()) {
      machine.now = next;
      rtc.catchUp(next);
      onIrq();
    }
    machine.now = count;
  };
  return { rtc, state, machine, irqs, get, set, runTo };
}

describe('MC146818', () => {
  it('carries into the next century and weekday, in BCD', () => {
    const { machine, get } = clock();
    expect([9, 8, 7, 6, 4, 2, 0].map(get)).toEqual([0x99, 0x12, 0x31, 6, 0x23, 0x59, 0x58]);
    machine.now = IPS * 2 - 1;
    expect(get(0)).toBe(0x59);
    machine.now = IPS * 2;
    expect([0x32, 9, 8, 7, 6, 4, 2, 0].map(get)).toEqual([0x20, 0, 1, 1, 7, 0, 0, 0]);
  });

  it('knows leap years', () => {
    const { rtc, machine } = clock({ ...start, year: 2000, month: 2, day: 28 });
    machine.now = IPS * 2;
    expect(rtc.time).toMatchObject({ month: 2, day: 29 });
    machine.now += IPS * 86_400;
    expect(rtc.time).toMatchObject({ month: 3, day: 1 });
  });

  it('shows binary and twelve hours', () => {
    const { get, set } = clock();
    set(0x0b, 0x06);
    expect([get(4), get(2)]).toEqual([23, 59]);
    set(0x0b, 0x00);
    expect(get(4)).toBe(0x91);
    set(4, 0x12);
    set(0x0b, 0x02);
    expect(get(4)).toBe(0);
  });

  it('gives 1024 periodic interrupts a second, each until register C is read', () => {
    const { irqs, get, set, runTo, machine } = clock();
    set(0x0b, 0x42);
    const seen: number[] = [];
    runTo(IPS - 1, () => {
      seen.push(machine.now);
      expect(get(0x0c)).toBe(0xc0);
    });
    expect(seen.length).toBe(1023);
    expect(seen.slice(0, 3)).toEqual([3907, 7813, 11719]);
    expect(irqs.length).toBe(2046);
    set(0x0a, 0x2f);
    seen.length = 0;
    runTo(IPS * 3, () => {
      seen.push(machine.now);
      get(0x0c);
    });
    expect(seen).toEqual([IPS, IPS * 1.5, IPS * 2, IPS * 2.5, IPS * 3]);
  });

  it('raises alarm and update interrupts at the second', () => {
    const { irqs, get, set, runTo } = clock();
    set(1, 0x01);
    set(3, 0xff);
    set(5, 0xff);
    set(0x0b, 0x22);
    runTo(IPS * 5);
    expect(irqs).toEqual([[IPS * 3, 1]]);
    expect(get(0x0c) & 0xb0).toBe(0xb0);
    set(0x0b, 0x12);
    runTo(IPS * 6);
    expect(irqs.at(-1)).toEqual([IPS * 6, 1]);
  });

  it('is stopped while it is set, and says when an update is near', () => {
    const { machine, get, set } = clock();
    machine.now = IPS - 4000;
    expect(get(0x0a) & 0x80).toBe(0x80);
    machine.now = IPS / 2;
    set(0x0b, 0x82);
    machine.now = IPS * 10;
    expect([get(0), get(0x0a) & 0x80]).toEqual([0x58, 0]);
    set(0, 0x30);
    set(0x0b, 0x02);
    machine.now = IPS * 11;
    expect(get(0)).toBe(0x31);
  });

  it('keeps its memory', () => {
    const { get, set } = clock();
    set(0x40, 0xa5);
    set(0x7f, 0x5a);
    expect([get(0x40), get(0x7f), get(0x0d)]).toEqual([0xa5, 0x5a, 0x80]);
  });
});
