import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AllowedFiles } from '../../../host/files/allowed-files.ts';
import type { ReportedEvent } from '../../../machine/events.ts';
import type { Host } from '../../../machine/host.ts';
import { fillDiskUnder } from './full-disk-testing.ts';
import { PrinterFile } from './printer-file.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fp-printer-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function hostOf(events: ReportedEvent[]): Pick<Host, 'files' | 'report'> {
  const report = (event: ReportedEvent) => void events.push(event);
  return { report, files: new AllowedFiles({ read: [], write: [folder] }) };
}

test('what is printed is in the file, in its order', async () => {
  const path = join(folder, 'paper');
  const printer = await PrinterFile.open(path, hostOf([]));
  for (let number = 0; number < 200_000; number++) {
    printer.print(number & 255);
    if (number % 1000 === 0) printer.flush();
  }
  await printer.close();
  expect(readFileSync(path)).toEqual(Buffer.from(Array.from({ length: 200_000 }, (_, number) => number & 255)));
  await expect(PrinterFile.open(path, hostOf([]))).rejects.toThrow('exists already');
});

test('a file that cannot be written is told once, and ends nothing', async () => {
  const path = join(folder, 'paper');
  const events: ReportedEvent[] = [];
  const printer = await PrinterFile.open(path, hostOf(events));
  printer.print(65);
  printer.flush();
  await vi.waitFor(() => expect(readFileSync(path, 'latin1')).toBe('A'), 30_000);
  fillDiskUnder(path);
  for (let number = 0; number < 1_100_000; number++) printer.print(66);
  await vi.waitFor(() => {
    printer.flush();
    expect(events).toHaveLength(1);
  }, 30_000);
  expect(events[0]).toMatchObject({ type: 'printer', text: expect.stringContaining('ENOSPC') });
  printer.flush();
  await printer.close();
  expect(events).toHaveLength(1);
});
