import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { gamesAndGraphics } from './games-and-graphics.ts';
import { languagesAndEditors } from './languages-and-editors.ts';
import { built, ProgramStage, programsFolder } from './program-stage.ts';
import { soundAndProcessor } from './sound-and-processor.ts';
import { systemPrograms } from './system-programs.ts';

/** Programs of our own that do what real ones do. */
const programs = [...languagesAndEditors, ...systemPrograms, ...gamesAndGraphics, ...soundAndProcessor];

test.for(programs)('$name', async ({ name, file = `${name}.com`, files, options, play }) => {
  const stage = await ProgramStage.open({ [file.toUpperCase()]: built(name), ...files }, options);
  try {
    await play(stage);
  } finally {
    await stage.close();
  }
});

test('every source is played', () => {
  const sources = readdirSync(programsFolder).map((source) => source.replace(/\.asm$/, ''));
  // What the packer packs is played with it.
  const played = [...programs.map(({ name }) => name), 'segments'];
  expect(played.sort()).toEqual(sources.sort());
  expect(programs).toHaveLength(24);
});
