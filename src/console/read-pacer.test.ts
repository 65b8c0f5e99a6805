import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ReadPacer } from './read-pacer.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.advanceTimersByTime(1000);
});
afterEach(() => vi.useRealTimers());

/** A link with a kernel buffer, read whenever it is not resting. */
class PacedLink {
  waitingBytes = 0;
  receivedBytes = 0;
  reads = 0;
  rests = 0;
  resting = false;
  readonly pacer = new ReadPacer(
    () => {
      this.rests++;
      this.resting = true;
    },
    () => {
      this.resting = false;
      this.#read();
    },
  );

  deliver(bytes: number): void {
    this.waitingBytes += bytes;
    this.#read();
  }

  #read(): void {
    if (this.resting || this.waitingBytes === 0) return;
    const bytes = this.waitingBytes;
    this.waitingBytes = 0;
    this.receivedBytes += bytes;
    this.reads++;
    this.pacer.arrived(bytes);
  }
}

test('what comes after quiet, and at the pace of a person, is read at once', () => {
  const link = new PacedLink();
  for (let i = 0; i < 500; i++) {
    link.deliver(7);
    expect(link.waitingBytes).toBe(0);
    vi.advanceTimersByTime(1);
  }
  expect(link.rests).toBe(0);
});

test('a flood of crumbs is read every 3 ms, and none of it is left behind', () => {
  const link = new PacedLink();
  for (let ms = 0; ms < 300; ms++) {
    for (let i = 0; i < 15; i++) link.deliver(7);
    vi.advanceTimersByTime(1);
  }
  expect(link.reads).toBeLessThan(150);
  vi.advanceTimersByTime(10);
  expect(link.receivedBytes).toBe(300 * 15 * 7);
  vi.advanceTimersByTime(100);
  link.deliver(1);
  expect([link.waitingBytes, link.resting]).toEqual([0, false]);
});

test('a machine that waits for each byte to arrive is hardly ever made to wait', () => {
  const link = new PacedLink();
  let delayed = 0;
  let asked = 0;
  for (let ms = 0; ms < 500; ms++) {
    for (let i = 0; i < 6 && !link.resting; i++) {
      asked++;
      link.deliver(1);
    }
    if (link.resting && link.waitingBytes === 0) {
      asked++;
      delayed++;
      link.deliver(1);
    }
    vi.advanceTimersByTime(1);
  }
  expect(link.rests).toBeGreaterThan(0);
  expect(delayed / asked).toBeLessThan(0.01);
});

test('large reads are never made to wait', () => {
  const link = new PacedLink();
  for (let i = 0; i < 1000; i++) link.deliver(4096);
  expect(link.rests).toBe(0);
});

test('large reads right after a flood end the resting', () => {
  const link = new PacedLink();
  for (let ms = 0; ms < 50; ms++) {
    for (let i = 0; i < 15; i++) link.deliver(7);
    vi.advanceTimersByTime(1);
  }
  expect(link.rests).toBeGreaterThan(5);
  link.deliver(256 * 1024);
  vi.advanceTimersByTime(3);
  link.rests = 0;
  for (let i = 0; i < 1000; i++) link.deliver(256 * 1024);
  expect([link.rests, link.waitingBytes]).toEqual([0, 0]);
});

test('nothing happens after the stop', () => {
  const link = new PacedLink();
  for (let i = 0; i < 20; i++) link.deliver(1);
  expect(link.resting).toBe(true);
  link.pacer.stop();
  vi.advanceTimersByTime(100);
  expect(link.resting).toBe(true);
});
