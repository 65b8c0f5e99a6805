import type { Core } from './core.ts';
import { fields, toLimit, toRights } from './registers.ts';
import { realRights } from './rights.ts';

/** As the reset pin leaves it: execution begins at FFFF:0000. */
export function resetState(core: Core): void {
  const { words, rules } = core;
  words.fill(0);
  words[fields.eflags] = rules.fixedFlags;
  words[fields.idtLimit] = 0x3ff;
  words[fields.dr6] = rules.generation >= 3 ? -0xf010 : 0;
  words[fields.cr0] = rules.generation >= 3 ? 0x10 : 0;
  for (let segment: number = fields.es; segment <= fields.gs; segment += 1) {
    words[segment + toLimit] = 0xffff;
    words[segment + toRights] = segment === fields.cs ? realRights.code : realRights.data;
  }
  words[fields.ldtLimit] = 0xffff;
  words[fields.taskLimit] = 0xffff;
  core.setSegment(fields.cs, 0xffff);
  core.refresh();
}
