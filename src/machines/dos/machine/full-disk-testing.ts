import { closeSync, openSync, readdirSync, readlinkSync } from 'node:fs';

/** From now on whoever in this process has the file open writes to a disk that is full. */
export function fillDiskUnder(path: string): void {
  const number = readdirSync('/proc/self/fd')
    .map(Number)
    .find((each) => targetOf(each) === path);
  if (number === undefined) throw new Error(`${path} is not open`);
  closeSync(number);
  const opened: number[] = [];
  // The lowest free number is taken: those below it first.
  while (opened.at(-1) !== number) opened.push(openSync('/dev/full', 'w'));
  for (const other of opened.slice(0, -1)) closeSync(other);
}

function targetOf(descriptor: number): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return '';
  }
}
