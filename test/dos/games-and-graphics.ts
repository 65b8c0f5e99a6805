import { expect } from 'vitest';
import type { PlayedProgram } from './played-program.ts';
import type { ProgramStage } from './program-stage.ts';

const graphics = (width: number, height: number) => async (stage: ProgramStage) => {
  const [shownWidth, shownHeight] = await stage.pictureSize();
  return shownWidth === width && shownHeight === height;
};

export const gamesAndGraphics: readonly PlayedProgram[] = [
  {
    name: 'game',
    async play(stage) {
      await stage.type('game\n');
      await stage.until(async () => (await stage.line(192)).includes(3));
      const paddle = async () => (await stage.line(192)).indexOf(3);
      expect([await stage.pictureSize(), await paddle()]).toEqual([[320, 200], 140]);
      expect(await stage.pixel(5, 150)).toEqual([0, 0, 81]);
      expect(await stage.pixel(145, 192)).toEqual([0, 255, 0]);
      expect((await stage.line(192)).filter((colour) => colour === 3)).toHaveLength(40);
      // Two pixels each of 100 ticks a second; 35 frames are half a second.
      await stage.call('input_send', { keys: ['left'], frames: 35 });
      await stage.frames(3);
      const moved = await paddle();
      expect(140 - moved).toBeGreaterThan(90);
      expect(140 - moved).toBeLessThan(110);
      await stage.frames(10);
      expect(await paddle()).toBe(moved);
      await stage.until(async () => (await stage.line(60)).includes(2));
      // The first ball has been caught at 40; the second one falls 97 pixels to the right.
      await stage.until(async () => (await stage.line(60))[137] === 2);
      expect(await stage.pixel(137, 60)).toEqual([255, 255, 0]);
      await stage.until(async () => (await stage.line(60))[234] === 2);
      await stage.press('esc');
      await stage.ended();
      const [, caught, fallen, hundredths, ticks] =
        /(\d+) (\d+) (\d+) (\d+) \n/.exec(`${(await stage.rows()).join(' \n')}`) ?? [];
      expect([caught, fallen]).toEqual(['1', '2']);
      expect(Number(hundredths) / Number(ticks)).toBeCloseTo(65_536 / 11_932, 0);
      expect(Number(hundredths)).toBeGreaterThan(184);
      // The keyboard is the BIOS's again.
      await stage.enter('echo typed', '/\\ntyped/');
    },
  },
  {
    name: 'modex',
    async play(stage) {
      await stage.type('modex\n');
      await stage.until(graphics(320, 240).bind(undefined, stage));
      await stage.frames(10);
      const block = async () => {
        const line = await stage.line(70);
        expect(line.filter((colour) => colour === 255)).toHaveLength(30);
        return line.indexOf(255);
      };
      const background = Array.from({ length: 320 }, (_, x) => (x >> 2) + 1);
      const first = await block();
      expect(first % 4).toBe(0);
      expect(await stage.line(50)).toEqual(background);
      expect(await stage.line(199)).toEqual(background);
      expect(await stage.line(200)).toEqual(Array.from({ length: 320 }, (_, x) => 40 + (x & 3)));
      expect(await stage.line(239)).toEqual(await stage.line(200));
      await stage.frames(7);
      const second = await block();
      // One step a retrace; the machine's frames are those of 70 Hz, the mode has 60.
      expect(second - first).toBeGreaterThanOrEqual(20);
      expect(second - first).toBeLessThanOrEqual(28);
      await stage.press('space');
      const stopped = await block();
      await stage.frames(5);
      expect(await block()).toBe(stopped);
      await stage.press('space');
      await stage.ended();
    },
  },
  {
    name: 'ega',
    async play(stage) {
      await stage.type('ega\n');
      await stage.until(async () => (await graphics(640, 350)(stage)) && (await stage.line(75))[70] === 5);
      const [red, magenta, blue, yellow, cyan] = [5, 5, 1, 62, 59];
      const expected: readonly (readonly [x: number, y: number, colour: number])[] = [
        [600, 10, blue],
        [64, 50, magenta],
        [191, 99, magenta],
        [192, 99, blue],
        [63, 60, blue],
        [75, 75, yellow],
        [299, 299, yellow],
        [300, 300, blue],
        // The copy, with red XOR white on its left half.
        [264, 150, cyan],
        [327, 199, cyan],
        [328, 150, red],
        [391, 199, red],
        [264, 149, blue],
        // Of the diagonal, yellow XOR white.
        [275, 175, blue],
        [320, 250, cyan],
        [323, 269, cyan],
        [324, 250, blue],
      ];
      const picture = await stage.machine.screen.picture();
      if ('rgb' in picture) throw new Error('a picture of sixteen colours');
      const seen = expected.map(([x, y]) => [x, y, picture.pixels[y * 640 + x]]);
      expect(seen).toEqual(expected);
      expect(await stage.pixel(75, 75)).toEqual([255, 255, 85]);
      expect(await stage.pixel(64, 50)).toEqual([170, 0, 170]);
      await stage.press('space');
      await stage.ended();
      // The diagonal; of its copy nothing is left.
      expect(await stage.screen()).toMatch(/^300\n/);
    },
  },
  {
    name: 'snake',
    async play(stage) {
      await stage.type('snake\n');
      const cell = (column: number, row: number) => stage.pixel(column * 8 + 4, row * 8 + 4);
      const [green, red, yellow, blue] = [
        [85, 255, 85],
        [255, 85, 85],
        [255, 255, 85],
        [0, 0, 170],
      ];
      await stage.until(async () => (await graphics(320, 200)(stage)) && `${await cell(25, 12)}` === `${red}`);
      expect([await cell(0, 0), await cell(39, 24), await cell(30, 5)]).toEqual([yellow, yellow, blue]);
      // The seventh line of a cell is drawn, the eighth is not, nor the eighth column.
      expect([await stage.pixel(6, 6), await stage.pixel(7, 6), await stage.pixel(6, 7)]).toEqual([yellow, blue, blue]);
      await stage.until(async () => `${await cell(25, 12)}` === `${green}`);
      expect(await cell(25, 18)).toEqual(red);
      await stage.press('down');
      await stage.until(async () => `${await cell(25, 18)}` === `${green}`);
      // Four, and three more for the first food.
      const body = await Promise.all([12, 13, 14, 15, 16, 17, 18].map((row) => cell(25, row)));
      expect(body).toEqual(body.map(() => green));
      expect(await cell(10, 18)).toEqual(red);
      await stage.until(async () => {
        const letters = await Promise.all(Array.from({ length: 40 }, (_, x) => stage.pixel(128 + x, 91)));
        return letters.some((colour) => `${colour}` === `${yellow}`);
      });
      await stage.press('space');
      await stage.see('score 2');
    },
  },
  {
    name: 'raster',
    async play(stage) {
      await stage.enter('raster', 'a sky of 64 colours');
      await stage.frames(5);
      const blue = async (line: number) => (await stage.pixel(600, line))[2];
      const levels = [1, 5, 9, 101, 200, 253].map(async (line) => [line, await blue(line)]);
      // Six bits of colour, as eight.
      const six = (line: number) => (((line - 1) >> 2) * 0x41) >> 4;
      expect(await Promise.all(levels)).toEqual([1, 5, 9, 101, 200, 253].map((line) => [line, six(line)]));
      expect([await blue(300), await blue(399)]).toEqual([0, 0]);
      expect(await stage.pixel(600, 200)).toEqual([0, 0, six(200)]);
      await stage.press('space');
      await stage.ended();
      expect(await stage.pixel(600, 200)).toEqual([0, 0, 0]);
    },
  },
  {
    name: 'paint',
    async play(stage) {
      await stage.type('paint\n');
      await stage.until(async () => (await stage.line(199))[5] === 9);
      const { mouse } = stage.machine;
      const drag = async (...places: readonly (readonly [number, number])[]) => {
        for (const [x, y] of places) {
          await mouse.moveTo(x, y);
          await stage.frames(2);
          await mouse.button('left', true);
          await stage.frames(2);
        }
        await mouse.button('left', false);
        await stage.frames(2);
      };
      await drag([50, 40], [60, 50], [70, 60]);
      await stage.call('input_send', { mouse: [120, 90], click: 'right' });
      await drag([200, 150], [210, 3]);
      await mouse.moveTo(300, 100);
      await stage.frames(2);
      const at = async (x: number, y: number) => (await stage.line(y))[x];
      expect([await at(50, 40), await at(61, 51), await at(70, 60)]).toEqual([12, 12, 12]);
      expect([await at(200, 150), await at(120, 90), await at(55, 40)]).toEqual([13, 0, 0]);
      // Nobody gets above row 10.
      expect([await at(210, 3), await at(210, 9), await at(210, 10)]).toEqual([9, 9, 13]);
      await stage.press('space');
      await stage.ended();
      expect(Number(/^\d+/.exec(await stage.screen())?.[0])).toBeGreaterThanOrEqual(5);
    },
  },
];
