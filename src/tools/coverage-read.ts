import { z } from 'zod';
import type { ToolAnswer } from '../api/tool-host.ts';
import type { AddressCapability } from '../machine/addresses.ts';
import type { CoverageCapability, CoverageRun, CoveredPiece, MemoryUse } from '../machine/coverage.ts';
import { advice, call, MachineError } from '../machine/errors.ts';
import type { CodePlace } from '../machine/functions.ts';
import type { Machine, MachineWith } from '../machine/machine.ts';
import { TimeSlice, unlessAborted } from '../machines/shared/time-slice.ts';
import { count } from './debug/code-place.ts';
import { byFile, showFile, withMissed } from './debug/covered-lines.ts';
import { pageHead, pageOf, pageTail } from './debug/paging.ts';
import { byFunction, byRange, type CodeOwner, showPart, showRun, showUse } from './debug/show-coverage.ts';
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
    without_machine: z
      .string()
      .optional()
      .describe('The machine of that run; code of two machines matches by symbol and offset'),
    only_new: z.boolean().default(false).describe('Only code that had never run before'),
    by: z.enum(['function', 'range', 'line']).default('function').describe('line: of source files'),
    from: z.number().int().min(0).default(0),
    limit: z.number().int().min(1).max(200).default(30),
    format: z.enum(['text', 'json']).optional(),
  }),
  async run(machine, { action, name, without, without_machine: other, only_new, by, from, limit }, { signal, rack }) {
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
    const slice = new TimeSlice(unlessAborted(signal));
    const against = await othersOf(machine, without, other === undefined ? undefined : rack.get(other).machine, slice);
    const pieces = await wanted(coverage, run, against, only_new, slice);
    let fresh = 0;
    for (const { isNew } of pieces) if (isNew) fresh++;
    const runs = coverage.runs.filter((each) => each.name === run || (each.name === without && other === undefined));
    const title = `${run}${without === undefined ? '' : ` without ${without}${other === undefined ? '' : ` of ${other}`}`}`;
    const head = `${title}: ${count(pieces.length)} instructions ran, ${count(fresh)} for the first time`;
    const notes = [
      ...runs.flatMap((each) => (each.notes ?? []).map((note) => `${each.name}: ${note}`)),
      ...runs.filter(({ active }) => active).map((each) => stillGoing(each)),
    ];
    const sums = {
      instructions: pieces.length,
      new_instructions: fresh,
      still_running: runs.filter(({ active }) => active).map((each) => each.name),
    };
    if (by === 'line') {
      const files = await byFile(pieces, addresses, slice);
      if (files.length === 0 && pieces.length > 0) throw noLines();
      const page = pageOf(files, from, limit);
      const items = [];
      for (const file of page.items) {
        // What ran only in one of two runs says nothing about lines that did not run.
        items.push(without === undefined && !only_new ? withMissed(file, addresses) : file);
        if (slice.isOver) await slice.next();
      }
      const text = [`${head}; ${pageHead(page, 'files')}`, ...notes, ...items.map(showFile), ...pageTail(page)];
      return { text: text.join('\n'), data: { files: items, ...sums, total: page.total, next: page.next } };
    }
    const parts =
      by === 'range'
        ? await byRange(pieces, addresses, slice)
        : await byFunction(pieces, await ownersOf(machine, signal), addresses, slice);
    const page = pageOf(parts, from, limit);
    return {
      text: [`${head}; ${pageHead(page, `${by}s`)}`, ...notes, ...page.items.map(showPart), ...pageTail(page)].join(
        '\n',
      ),
      data: { parts: page.items, ...sums, total: page.total, next: page.next },
    };
  },
});

function noLines(): MachineError {
  return new MachineError('NOT_FOUND', 'No source lines are known for the code that ran.', [
    advice`Load a file with debug information with ${call('symbols_load')}.`,
  ]);
}

/** By the graph of what ran, or by symbols with their sizes. */
async function ownersOf(machine: Machine, signal: AbortSignal): Promise<(place: CodePlace) => CodeOwner | undefined> {
  const { addresses } = machine;
  const symbols = addresses?.symbols;
  if (machine.graph || !addresses || !symbols?.functionAt) return functionOwners(machine, signal);
  const known = new Map<bigint, CodeOwner>();
  return ({ address }) => {
    const found = symbols.functionAt?.(address);
    if (!found) return undefined;
    const owner = known.get(found.address) ?? { ...found, where: addresses.format(found.address) };
    known.set(found.address, owner);
    return owner;
  };
}

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
  throw new MachineError('INVALID_ARGUMENT', 'This action needs the name of a run.', `Add "name".${known}`);
}

async function stopAll(coverage: CoverageCapability): Promise<ToolAnswer> {
  const active = coverage.runs.filter((each) => each.active);
  if (active.length === 0) {
    throw new MachineError('NOT_FOUND', 'No run is in progress.', 'Begin one with {"action":"start","name":"idle"}.');
  }
  const stopped: CoverageRun[] = [];
  for (const { name } of active) stopped.push(await coverage.stop(name));
  return { text: stopped.map(showRun).join('\n'), data: { runs: stopped } };
}

function stillGoing({ name, from, to, unit }: CoverageRun): string {
  const passed =
    to === from
      ? 'no time has passed since it began'
      : `so far from ${count(from)} to ${count(to)}${unit === undefined ? '' : ` ${unit}`}`;
  return `${name} is still going on: ${passed}; {"action":"stop","name":"${name}"} ends it`;
}

/** Says of a piece whether it ran in the other run. */
async function othersOf(
  { coverage, addresses }: MachineWith<'coverage' | 'addresses'>,
  without: string | undefined,
  other: Machine | undefined,
  slice: TimeSlice,
): Promise<(piece: CoveredPiece) => boolean> {
  if (without === undefined) {
    if (!other) return () => false;
    throw new MachineError(
      'INVALID_ARGUMENT',
      '"without_machine" needs a run of that machine.',
      'Add "without" with its name.',
    );
  }
  if (!other) {
    const ids = await keys(await coverage.read(without), ({ id }) => id, slice);
    return ({ id }) => ids.has(id);
  }
  if (!other.coverage || !other.addresses) {
    throw new MachineError('MISSING_CAPABILITY', 'The other machine does not record which code runs.', 'Use another.');
  }
  const places = await keys(await other.coverage.read(without), placeKey(other.addresses), slice);
  const keyOf = placeKey(addresses);
  return (piece) => places.has(keyOf(piece));
}

async function keys<K>(
  pieces: readonly CoveredPiece[],
  keyOf: (piece: CoveredPiece) => K,
  slice: TimeSlice,
): Promise<ReadonlySet<K>> {
  const found = new Set<K>();
  for (const piece of pieces) {
    found.add(keyOf(piece));
    if (slice.isOver) await slice.next();
  }
  return found;
}

function placeKey({ symbols }: AddressCapability): (piece: CoveredPiece) => string {
  return ({ address }) => {
    const found = symbols.functionAt?.(address);
    return found ? `${found.name}+${address - found.address}` : `${address}`;
  };
}

async function wanted(
  coverage: CoverageCapability,
  name: string,
  ranElsewhere: (piece: CoveredPiece) => boolean,
  onlyNew: boolean,
  slice: TimeSlice,
): Promise<readonly CoveredPiece[]> {
  const found: CoveredPiece[] = [];
  for (const piece of await coverage.read(name)) {
    if ((piece.isNew || !onlyNew) && !ranElsewhere(piece)) found.push(piece);
    if (slice.isOver) await slice.next();
  }
  return found;
}
