import { z } from 'zod';
import type { CoverageCapability, CoveredPiece } from '../machine/coverage.ts';
import { MachineError } from '../machine/errors.ts';
import { count } from './debug/code-place.ts';
import { pageHead, pageOf, pageTail } from './debug/paging.ts';
import { byFunction, byRange, showPart, showRun } from './debug/show-coverage.ts';
import { functionOwners } from './graph/owners.ts';
import { defineTool } from './tool.ts';

export const coverageRead = defineTool({
  name: 'coverage_read',
  title: 'See which code ran',
  description:
    'Which code runs when I press fire? start a run named "idle", let time pass, stop; start "fire", press, let time pass, ' +
    'stop; then {"action":"read","name":"fire","without":"idle"} shows what ran only then, by function or range.',
  toolset: 'more',
  needs: ['coverage', 'addresses'],
  effect: 'change',
  input: z.object({
    action: z.enum(['list', 'start', 'stop', 'read', 'delete']).default('list'),
    name: z
      .string()
      .regex(/^[\w.-]{1,48}$/, 'letters, digits, _ . - only')
      .optional(),
    without: z.string().optional().describe('Leave out what ran in this run'),
    only_new: z.boolean().default(false).describe('Only code that had never run before'),
    by: z.enum(['function', 'range']).default('function'),
    from: z.number().int().min(0).default(0),
    limit: z.number().int().min(1).max(200).default(30),
    format: z.enum(['text', 'json']).optional(),
  }),
  async run(machine, { action, name, without, only_new, by, from, limit }, { signal }) {
    const { coverage, addresses } = machine;
    if (action === 'list') {
      return { text: coverage.runs.map(showRun).join('\n') || 'no runs', data: { runs: coverage.runs } };
    }
    const run = required(name);
    if (action === 'delete') {
      await coverage.delete(run);
      return { text: `${run} is forgotten`, data: { deleted: run } };
    }
    if (action !== 'read') {
      const changed = await coverage[action](run);
      return { text: showRun(changed), data: { ...changed } };
    }
    const pieces = await wanted(coverage, run, without, only_new);
    const parts =
      by === 'range'
        ? byRange(pieces, addresses)
        : byFunction(pieces, await functionOwners(machine, signal), addresses);
    const page = pageOf(parts, from, limit);
    const fresh = pieces.filter(({ isNew }) => isNew).length;
    const title = `${run}${without === undefined ? '' : ` without ${without}`}`;
    return {
      text: [
        `${title}: ${count(pieces.length)} instructions ran, ${count(fresh)} for the first time; ${pageHead(page, `${by}s`)}`,
        ...page.items.map(showPart),
        ...pageTail(page),
      ].join('\n'),
      data: {
        parts: page.items,
        instructions: pieces.length,
        new_instructions: fresh,
        total: page.total,
        next: page.next,
      },
    };
  },
});

function required(name: string | undefined): string {
  if (name !== undefined) return name;
  throw new MachineError('INVALID_ARGUMENT', 'Which run?', 'Add "name".');
}

async function wanted(
  coverage: CoverageCapability,
  name: string,
  without: string | undefined,
  onlyNew: boolean,
): Promise<readonly CoveredPiece[]> {
  const others = new Set((without === undefined ? [] : await coverage.read(without)).map(({ id }) => id));
  return (await coverage.read(name)).filter(({ id, isNew }) => !others.has(id) && (isNew || !onlyNew));
}
