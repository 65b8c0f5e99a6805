import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bootSector } from '../../examples/tasks/boot-sector.ts';
import type { Task } from '../../examples/tasks/task.ts';
import { runTask } from '../../scripts/eval/run-task.ts';
import { tools } from '../../src/tools/index.ts';

const root = join(import.meta.dirname, '../../plugin/skills');
const skills = readdirSync(root);
/** What the answers of a skill's calls must have told by the end. */
const told: Readonly<Record<string, RegExp>> = {
  'debug-6502': /X=0A/i,
  'boot-test-os': /matched .*READY/,
  'reverse-dos': /SECRET/,
};

test('every skill is here', () => expect(skills.sort()).toEqual(Object.keys(told).sort()));

describe.each(skills)('the skill %s', (skill) => {
  const text = readFileSync(join(root, skill, 'SKILL.md'), 'utf8');

  test('names only tools that there are', () => {
    // In quotes: a colon in a plain one makes Claude Code drop the whole block, without a word.
    const [, description = ''] =
      new RegExp(`^---\\nname: ${skill}\\ndescription: (".{40,}")\\n---\\n`).exec(text) ?? [];
    expect(JSON.parse(description)).toMatch(/Use when/);
    const named = [...text.matchAll(/`([a-z]+_[a-z_]+)`/g)]
      .map(([, name = '']) => name)
      .filter((name) => name !== 'fail_on');
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(named));
  });

  test('has calls that work as written', async () => {
    const lines = /```calls\n([\s\S]*?)```/.exec(text)?.[1]?.trim().split('\n') ?? [];
    expect(lines.length).toBeGreaterThan(4);
    const task: Task = {
      prompt: skill,
      async prepare(folder) {
        await bootSector(folder, 'boot', "  mov si,text\n  call say\nhalt: hlt\n  jmp halt\ntext: db 'READY',10,0");
      },
      async solve({ call, folder }) {
        const answers: string[] = [];
        for (const line of lines) {
          const [, tool = '', args = '{}'] = /^(\w+) (.*)$/.exec(line) ?? [];
          answers.push(await call(tool, JSON.parse(args.replace('FOLDER', folder))));
        }
        return answers.join('\n');
      },
      check: ({ answer }) => (told[skill]?.test(answer) ? undefined : answer),
    };
    expect(await runTask(task)).toMatchObject({ problem: undefined, wrong: 0, calls: lines.length });
  });
});
