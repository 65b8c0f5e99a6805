import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ConsolePort } from '../../machine/console.ts';
import { ConsoleView } from './console-view.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const screen = {
  ...{ columns: 80, rows: 1, lines: ['login:'], styled: [], applicationCursorKeys: false, bracketedPaste: false },
  cursor: { column: 6, row: 0, visible: true },
  scrolled: { start: 0, first: 0, end: 0, lines: [] },
};

test('a screen that could not be read is shown later, though nothing more is printed', async () => {
  const readStyled = vi.fn().mockResolvedValue(screen);
  readStyled.mockRejectedValueOnce(new Error('busy')).mockRejectedValueOnce(new Error('busy'));
  const port = { onActivity: () => () => {}, screen: { readStyled } } as unknown as ConsolePort;
  const [show, trouble] = [vi.fn(), vi.fn()];
  const view = new ConsoleView(port, { isReady: () => true, show, trouble });
  await vi.advanceTimersByTimeAsync(500);
  expect(show).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(4000);
  expect(show).toHaveBeenCalledTimes(1);
  expect(trouble.mock.calls).toEqual([['busy']]);
  expect(readStyled).toHaveBeenCalledTimes(3);
  view.close();
  expect(vi.getTimerCount()).toBe(0);
});
