import { chmodSync, copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join } from 'node:path';
import { type ComSetup, comSetups, notTests } from './com-setups.ts';
import { type ComRun, runCom } from './run-com.ts';
import type { DosTest } from './suite-test.ts';

const program = 'TEST.COM';

/** Programs that judge themselves, each in a folder of its own. */
export function comTests(resources: string): DosTest[] {
  const programs = readdirSync(resources, { recursive: true, encoding: 'utf8' })
    .filter((path) => extname(path).toLowerCase() === '.com')
    .map((path) => path.slice(0, -4))
    .filter((path) => !notTests.includes(path))
    .sort();
  return programs.flatMap((path) => {
    const setups = [comSetups[path] ?? {}].flat();
    const extension = readdirSync(join(resources, dirname(path))).find(
      (name) => stemOf(name) === basename(path) && /com$/i.test(name),
    );
    const file = join(resources, dirname(path), extension ?? '');
    return setups.map((setup) => ({
      area: 'self-tests',
      name: setup.as === undefined ? path : `${path} (${setup.as})`,
      run: () => inFolder((folder) => judge(runIn(folder, file, setup), setup)),
    }));
  });
}

function runIn(folder: string, file: string, setup: ComSetup): ComRun {
  copyFileSync(file, join(folder, program));
  for (const [name, content] of Object.entries(setup.files ?? {})) {
    const path = join(folder, name);
    if ('from' in content) copyFileSync(join(dirname(file), content.from), path);
    else writeFileSync(path, content.text);
    if ('text' in content && content.readOnly) chmodSync(path, 0o444);
  }
  if (setup.input !== undefined) writeFileSync(join(folder, 'INPUT.TXT'), setup.input);
  if (setup.batch !== undefined) writeFileSync(join(folder, 'START.BAT'), setup.batch);
  const command = setup.batch === undefined ? 'TEST' : 'START';
  return runCom(folder, setup.input === undefined ? command : `${command} <INPUT.TXT`, setup);
}

function judge({ results, details, screens, halted, free, why }: ComRun, setup: ComSetup): string {
  const { screen, cells, details: wanted } = setup;
  if (screen !== undefined)
    return screens.some((each) => each.text.includes(screen)) ? '' : `${screen} is not on the screen`;
  if (cells) return screens.some((each) => cells.every((cell) => each.has(cell))) ? '' : 'cells of the screen differ';
  if (setup.halts) return halted ? '' : why;
  if (setup.free !== undefined) return free >= setup.free ? '' : `${free} paragraphs are free`;
  if (wanted && !wanted.every((byte, index) => details[index] === byte)) return `details ${details.join(' ')}`;
  if (setup.reaches !== undefined && !details.includes(setup.reaches)) return `details ${details.join(' ')}`;
  if (results.length === 0) return why;
  if (results.every((value) => value === 0)) return '';
  const text = results.map((value) => value.toString(16).padStart(2, '0')).join(' ');
  return `results ${text}${details.length > 0 ? `, details ${details.join(' ')}` : ''}`;
}

function inFolder(run: (folder: string) => string): string {
  const folder = mkdtempSync(join(tmpdir(), 'suite-dos-'));
  try {
    return run(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function stemOf(name: string): string {
  return basename(name, extname(name));
}
