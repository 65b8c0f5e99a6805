import { existsSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import type { SuiteTest } from './run-test.ts';

/** Options of VICE's list that a bare machine can honour; tests with any other need media or expansions. */
const known = /^(vicii-(pal|ntsc|ntscold|old|new)|(cia|sid)-(old|new)|expect:(error|timeout)|(comment|warn):.*)$/;

/** The tests of a JSON list, or of VICE's own list in the folder of the test programs. */
export function readTestList(programs: string, list: string | undefined): readonly SuiteTest[] {
  if (list !== undefined) return JSON.parse(readFileSync(list, 'utf8'));
  const file = join(programs, 'testbench/c64-testlist.in');
  if (!existsSync(file)) throw new Error(`no list: give --list FILE, or a folder that has testbench/c64-testlist.in`);
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .flatMap((line) => testOf(programs, line));
}

function testOf(programs: string, line: string): SuiteTest[] {
  const [folder = '', name = '', type = '', timeout = '0', ...opts] = line.split(',');
  if ((type !== 'exitcode' && type !== 'screenshot') || name === '' || !opts.every((option) => known.test(option)))
    return [];
  const dir = normalize(join('testbench', folder)).replace(/\/$/, '');
  const has = (option: string) => opts.includes(option);
  const video = has('vicii-ntscold') ? 'ntscold' : has('vicii-ntsc') ? 'ntsc' : has('vicii-pal') ? 'pal' : 'any';
  const suffix = video === 'ntsc' || video === 'ntscold' ? `-${video}` : '';
  const references = [`${name}${suffix}.png`, `${name}.png`].map((file) => join(dir, 'references', file));
  const reference = references.find((path) => existsSync(join(programs, path)));
  const expect = has('expect:timeout') ? 'timeout' : has('expect:error') ? 'error' : 'ok';
  const common = {
    dir,
    name,
    type,
    timeoutCycles: Number(timeout),
    opts,
    video,
    expect,
    prg: join(dir, name),
  } as const;
  return [type === 'screenshot' && reference ? { ...common, reference } : common];
}
