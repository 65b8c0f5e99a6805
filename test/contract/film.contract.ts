import { expect, test } from 'vitest';
import { type Context, never, patientMs, spec } from './context.ts';

/** What the screen showed before now. */
export function filmContract(context: Context): void {
  const rolled = async () => {
    const machine = context.with('film', 'control', 'cpu', 'screen', 'snapshots', 'breakpoints');
    await context.bench();
    await machine.control.run({ frames: 100, wallMs: patientMs }, never);
    const { moments } = machine.film;
    return { ...machine, film: machine.film, middle: moments[moments.length >> 1] ?? -1 };
  };

  test('a moment is shown as it was, and nobody notices', async () => {
    const { film, control, cpu, screen, middle: then } = await rolled();
    const present = { now: film.now, registers: await cpu.registers(), picture: await screen.picture() };
    const kept = structuredClone(present.picture);
    const shown = await film.show(then, never);
    expect(shown.time).toBe(then);
    expect({ now: film.now, registers: await cpu.registers(), picture: await screen.picture() }).toEqual({
      ...present,
      picture: kept,
    });
    expect(film.moves).toBe(0);
    await control.run({ back: true, cycles: film.now - then, wallMs: patientMs }, never);
    expect(film.now).toBe(then);
    expect(await screen.picture()).toEqual(shown.picture);
    expect(film.moves).toBeGreaterThan(0);
  });

  test('what lies before and after is the first and the last that is remembered', async () => {
    const { film } = await rolled();
    expect((await film.show(0, never)).time).toBe(film.first);
    expect((await film.show(film.now + 1_000_000, never)).time).toBe(film.now);
    expect(film.moments).toEqual(film.moments.toSorted((a, b) => a - b));
    expect(film.moments.every((time) => time >= film.first && time <= film.now)).toBe(true);
  });

  test('a machine that runs goes on while somebody looks', async () => {
    const { film, control, middle: then } = await rolled();
    await control.runFreely?.('real');
    const before = film.now;
    expect((await film.show(then, never)).time).toBe(then);
    expect(control).toMatchObject({ state: 'RUNNING' });
    await expect.poll(() => film.now, { timeout: patientMs }).toBeGreaterThan(before);
    await control.pause();
  });

  test('a moment is saved without going there, and another machine can go on from it', async () => {
    const { film, snapshots, cpu, middle: then } = await rolled();
    const present = { now: film.now, registers: await cpu.registers() };
    expect(await snapshots.saveAt?.('then', then, never)).toMatchObject({ name: 'then', at: then });
    expect({ now: film.now, registers: await cpu.registers() }).toEqual(present);
    await snapshots.restore('then');
    expect(film.now).toBe(then);
  });

  test('it knows where breakpoints stopped the machine, as long as that is its past', async () => {
    const { film, breakpoints, control } = await rolled();
    const { inside } = await context.bench();
    expect(film.stops).toEqual([]);
    await breakpoints.set(spec('exec', { address: inside }));
    await control.run({ frames: 10, wallMs: patientMs }, never);
    expect(film.stops).toEqual([{ time: film.now, reason: expect.stringContaining('breakpoint') }]);
    await control.step({ kind: 'into', count: 1, back: true, wallMs: patientMs }, never);
    expect(film.stops).toEqual([]);
  });
}
