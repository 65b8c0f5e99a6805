import { z } from 'zod';
import type { ToolAnswer } from '../api/tool-host.ts';
import type { AddressCapability } from '../machine/addresses.ts';
import type { CoverageCapability, CoverageRun, CoveredPiece, MemoryUse } from '../machine/coverage.ts';
import { advice, call, MachineError } from '../machine/errors.ts';
import { count } from './debug/code-place.ts';
import { pageHead, pageOf, pageTail } from './debug/paging.ts';
import { byFunction, byRange, showPart, showRun, showUse } from './debug/show-coverage.ts';
import { functionOwners } from './graph/owners.ts';
import { defineTool } from './tool.ts';

export const coverageRead = defineTool({
  name: 'coverage_read',
  title: 'See which code ran',
  description:
    'Which code runs when I press fire? start a run named "idle", let time pass, stop; start "fire", press, let time pass, ' +
    'stop; then {"action":"read","name":"fire","without":"idle"} shows what ran only then, by function or range.',
  toolset: 'code',
  needs: ['coverage', 'addresses'],
  effect: 'change',
  input: z.object({
    action: z
      .enum(['list', 'start', 'stop', 'read', 'delete', 'map'])
      .default('list')
      .describe('map: which memory is code and which data'),
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
    if (action === 'map') return showMap(await mapOf(coverage, signal), from, limit, addresses);
    if (action === 'stop' && name === undefined) return stopAll(coverage);
    const run = name ?? onlyRun(coverage, action);
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
    const running = coverage.runs.filter((each) => each.active && (each.name === run || each.name === without));
    return {
      text: [
        `${title}: ${count(pieces.length)} instructions ran, ${count(fresh)} for the first time; ${pageHead(page, `${by}s`)}`,
        ...running.map((each) => stillGoing(each)),
        ...page.items.map(showPart),
        ...pageTail(page),
      ].join('\n'),
      data: {
        parts: page.items,
        instructions: pieces.length,
        new_instructions: fresh,
        still_running: running.map((each) => each.name),
        total: page.total,
        next: page.next,
      },
    };
  },
});

async function mapOf(coverage: CoverageCapability, signal: AbortSignal): Promise<readonly MemoryUse[]> {
  const uses = await coverage.map?.(signal);
  if (uses) return uses;
  throw new MachineError(
    'MISSING_CAPABILITY',
    'This machine records which code runs, not what it reads and writes.',
    advice`See the code that ran with ${call('coverage_read', { action: 'read', by: 'range' })}.`,
  );
}

function showMap(uses: readonly MemoryUse[], from: number, limit: number, addresses: AddressCapability): ToolAnswer {
  const page = pageOf(uses, from, limit);
  return {
    text: [pageHead(page, 'ranges'), ...page.items.map((use) => showUse(use, addresses)), ...pageTail(page)].join('\n'),
    data: { ranges: page.items, total: page.total, next: page.next },
  };
}

/** Where there is one run only, it need not be named. */
function onlyRun({ runs }: CoverageCapability, action: 'start' | 'stop' | 'read' | 'delete'): string {
  const [only, ...others] = runs;
  if (action === 'read' && only && others.length === 0) return only.name;
  const names = runs.map(({ name }) => name).join(', ');
  const known = names && action !== 'start' ? ` There are: ${names}.` : '';
  throw new MachineError('INVALID_ARGUMENT', 'Which run?', `Add "name".${known}`);
}

async function stopAll(coverage: CoverageCapability): Promise<ToolAnswer> {
  const active = coverage.runs.filter((each) => each.active);
  if (active.length === 0) {
    throw new MachineError('NOT_FOUND', 'No run is going on.', 'Begin one with {"action":"start","name":"idle"}.');
  }
  const stopped: CoverageRun[] = [];
  for (const { name } of active) stopped.push(await coverage.stop(name));
  return { text: stopped.map(showRun).join('\n'), data: { runs: stopped } };
}

function stillGoing({ name, from, to }: CoverageRun): string {
  const passed = to === from ? 'no time has passed since it began' : `so far from ${count(from)} to ${count(to)}`;
  return `${name} is still going on: ${passed}; {"action":"stop","name":"${name}"} ends it`;
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
