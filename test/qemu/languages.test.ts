import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { kernelFolder } from '../../examples/kernel/build-kernel.ts';
import { image as zigParts } from './languages/parts-zig.ts';
import { Lab } from './vm.ts';

const folder = new URL('./languages/', import.meta.url).pathname;
const work = mkdtempSync(join(tmpdir(), 'fp-languages-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));

async function paused(lab: Lab, file: string, options: Record<string, unknown>) {
  const { handle: machine } = await lab.start({ memory: 32, gpu: 'none', kernel: file, paused: true, ...options });
  const ask = (tool: string, args: Record<string, unknown> = {}) => lab.call(tool, { machine, ...args });
  await ask('symbols_load', { path: file });
  const value = async (expression: string) =>
    (await ask('evaluate', { expression, depth: 3 })).replace(/^qemu-1 .*\n/, '').replace(/ at 0x[0-9a-f]+ /, ' ');
  return { ask, value };
}

/** The marked line. */
function inside(name: string): string {
  const lines = readFileSync(join(folder, name), 'utf8').split('\n');
  return `${name}:${lines.findIndex((each) => each.includes('// inside')) + 1}`;
}

test('C++: classes, bases, references, templates, bit fields', { timeout: 180_000 }, async () => {
  const file = join(work, 'classes.elf');
  const flags = [
    '-g',
    '-O0',
    '-ffreestanding',
    '-fno-pic',
    '-fno-exceptions',
    '-fno-rtti',
    '-mno-red-zone',
    '-fno-stack-protector',
  ];
  const link = ['-nostdlib', '-static', '-no-pie', `-Wl,-T,${join(kernelFolder, 'kernel.ld')}`, '-Wl,--build-id=none'];
  const inputs = [join(kernelFolder, 'boot.s'), join(folder, 'classes.cc')];
  execFileSync('x86_64-linux-gnu-g++', [...flags, ...link, '-o', file, ...inputs], { stdio: 'pipe' });
  await using lab = new Lab();
  const { ask, value } = await paused(lab, file, {});
  await ask('run', { until: inside('classes.cc') });
  expect(await value('kernel::device')).toMatch(
    /^\(Device\) \{<Base> \{number = 42\}, name = 0x[0-9a-f]+.* "uart", state = waiting \(7\), ready = 1, retries = 21, size = \{first = 80, second = 25\}\}$/,
  );
  expect(await value('this->number')).toBe('(int) 42');
  expect(await value('total')).toMatch(/^\(int &\) 0x[0-9a-f]+ <kernel::device>: 42$/);
  expect(await value('more')).toBe('(int) 1');
  expect(await value('this->size.second * 2')).toBe('(long) 50');
  expect(await value('ratio')).toBe('(float) 2.5');
  expect(await value('enabled')).toBe('(bool) true');
});

const rust = spawnSync('rustc', ['-vV'], { encoding: 'utf8' });
const host = /host: (\w+)-/.exec(rust.stdout ?? '')?.[1];

/** Its library for other processors is not installed everywhere, so that it is built for this one. */
test.skipIf(host !== 'aarch64' && host !== 'x86_64')(
  'Rust: enums, options, texts and slices',
  { timeout: 180_000 },
  async () => {
    const [library, file] = [join(work, 'libshapes.a'), join(work, 'shapes.elf')];
    const flags = [
      '--edition=2021',
      '-g',
      '-Copt-level=0',
      '-Cpanic=abort',
      '-Cdebuginfo=2',
      '-Crelocation-model=static',
    ];
    execFileSync('rustc', [...flags, '--crate-type=staticlib', '-o', library, join(folder, 'shapes.rs')], {
      stdio: 'pipe',
    });
    if (host === 'aarch64') {
      const link = ['-e', 'kernel_main', '-Ttext=0x40100000', '--gc-sections', '-u', 'TASKS', '-u', 'kernel_main'];
      execFileSync('aarch64-linux-gnu-ld', [...link, '-o', file, library], { stdio: 'pipe' });
    } else {
      const link = ['-nostdlib', '-static', '-no-pie', `-Wl,-T,${join(kernelFolder, 'kernel.ld')}`, '-Wl,-u,TASKS'];
      execFileSync('x86_64-linux-gnu-gcc', [...link, '-o', file, join(kernelFolder, 'boot.s'), library], {
        stdio: 'pipe',
      });
    }
    await using lab = new Lab();
    const { value } = await paused(lab, file, { arch: host });
    expect(await value('TASKS[0]')).toMatch(
      /^\(Task\) \{id = 1, name = "init", shape = \{Circle \{__0 = 5\}\}, ticks = \{Some \{__0 = 0x[0-9a-f]+.*\}\}, parts = 3 at 0x[0-9a-f]+.*: \[7, 8, 9\]\}$/,
    );
    expect(await value('TASKS[1].shape')).toBe('(Shape) {Square {side = 9}}');
    expect(await value('TASKS[2].shape')).toBe('(Shape) {Nothing}');
    expect(await value('TASKS[1].ticks')).toMatch(/\{None\}$/);
    expect(await value('TASKS[0].parts[2]')).toBe('(u16) 9');
    expect(await value('*TASKS[0].ticks.Some.0')).toBe('(u64) 77');
  },
);

/** Built by languages/build-zig.sh: no system has a package of its compiler. */
test('Zig: slices, optionals, error unions, tagged unions', { timeout: 180_000 }, async () => {
  const file = join(work, 'parts');
  writeFileSync(file, zigParts);
  await using lab = new Lab();
  const { ask, value } = await paused(lab, file, { arch: 'aarch64' });
  await ask('run', { until: inside('parts.zig') });
  expect(await value('task.*')).toMatch(
    /^\(parts\.Task\) \{name = "init", shape = \{circle = 5\}, ticks = 0x[0-9a-f]+ <parts\.ticks>, parts = 3 at 0x[0-9a-f]+ <parts\.parts>: \[7, 8, 9\], next = 0x[0-9a-f]+ <parts\.idle>, id = 1, limit = 3, state = running \(4\)\}$/,
  );
  const values: Readonly<Record<string, string>> = {
    good: '(error{TooLong,NotThere}!u32) 42',
    bad: '(error{TooLong,NotThere}!u32) error 2',
    checked: '(anyerror) no error',
    unchecked: '(anyerror) error 1',
    maybe: '(?u32) 12',
    none: '(?u32) null',
    list: '(parts.State [3]) [waiting (5), running (4), waiting (5)]',
    ratio: '(f32) 2.5',
    enabled: '(bool) true',
    wide: '(u128) 1267650600228229401496703205376 (0x10000000000000000000000000)',
    shape: '(parts.Shape) {circle = 5}',
    'task.next.?.shape': '(parts.Shape) {square = {side = 9}}',
    'task.next.name': '([]u8) "idle"',
    'task.next.parts.len': '(usize) 0',
    'task.ticks.?.*': '(u64) 77',
    'task.limit.? + 1': '(long) 4',
    'task.shape.circle': '(u32) 5',
    'more[2]': '(u16) 9',
    // Of a file that is called as a variable in it.
    'parts.idle.state': '(parts.State) ready (0)',
    number: '(i32) -5',
    'parts.number': '(i32) -5',
    '((parts.Task *)&idle)->id': '(u32) 2',
  };
  const found: Record<string, string> = {};
  for (const expression of Object.keys(values)) found[expression] = await value(expression);
  expect(found).toEqual(values);
  expect(await value('none.?')).toContain('It is null.');
  expect(await value('task.id.?')).toContain('A u32 is not an optional.');
  expect(await value('&parts.look')).toMatch(/<parts\.look>$/);
  // Its first function was called by nobody.
  const calls = (await ask('state_read')).match(/called from .*/g);
  expect(calls).toEqual([
    expect.stringContaining('kernel_main+'),
    expect.stringMatching(/called from 0x[0-9a-f]+ _start\+16 \(parts\.zig:/),
  ]);

  await ask('breakpoint_set', { address: 'parts.use', condition: 'parts.boot.limit.? == 4' });
  await ask('breakpoint_set', { address: 'parts.use', condition: 'parts.boot.limit.? == 3' });
  expect(await ask('run')).toContain('breakpoint 2');
});
