import { hex } from '../../../../formats/hex.ts';
import type {
  BreakpointChange,
  BreakpointSpec,
  BreakpointTree,
  BreakpointTrigger,
} from '../../../../machine/breakpoints.ts';
import { MachineError } from '../../../../machine/errors.ts';
import type { CommodoreBoard } from '../../board/commodore-board.ts';
import type { CommodoreModel } from '../commodore-model.ts';

type Chips = CommodoreModel['chips'];

const accessTypes: readonly string[] = ['read', 'write', 'change', 'chip_write'];
const memoryTypes: readonly string[] = ['exec', 'read', 'write', 'change'];
const collisionTypes: readonly string[] = ['sprite_sprite', 'sprite_background'];
const interruptTypes: readonly string[] = ['irq', 'nmi', 'brk'];
const mostParts = 32;

/** What a board with these parts can stop at. */
export function breakpointTypes(board: CommodoreBoard): readonly string[] {
  const collisions = board.watchCollisions === undefined ? [] : collisionTypes;
  return [...memoryTypes, 'raster', ...collisions, 'chip_write', ...interruptTypes, 'composite'];
}

/** A register may also be given by its address, `$D020`. */
export function placed<T extends BreakpointTrigger>(trigger: T, chips: Chips): T {
  if (trigger.type !== 'chip_write' || trigger.chip !== undefined) return trigger;
  const address = Number(trigger.address);
  const found = chips.find(({ first, last }) => address >= first && address <= last);
  return found ? { ...trigger, chip: found.name, address: BigInt(address & (found.registers - 1)) } : trigger;
}

export function placedTree(tree: BreakpointTree, chips: Chips): BreakpointTree {
  if (tree.operator !== undefined) return { ...tree, of: tree.of.map((part) => placedTree(part, chips)) };
  return tree.type === undefined ? tree : placed(tree, chips);
}

/** Refuses a breakpoint that could never be met, or that says more than its type has. */
export function checkSpec(spec: BreakpointSpec, board: CommodoreBoard, chips: Chips): void {
  if (spec.type !== 'composite') {
    if (spec.tree) throw refused('Only a composite breakpoint has a tree.', 'Set "type":"composite".');
    checkTrigger(spec, board, chips);
    return;
  }
  if (!spec.tree) {
    const example = '{"and":[{"type":"raster","line":100},{"condition":"A == 0"}]}';
    throw refused('A composite breakpoint needs a tree.', `Give it one: "tree":${example}.`);
  }
  refuseOptions(spec, []);
  if (partsOf(spec.tree) > mostParts) {
    throw refused(`A tree has at most ${mostParts} parts.`, 'Set several breakpoints.');
  }
  checkTree(spec.tree, board, chips);
}

/** The types of all that a tree waits for. */
function typesIn(tree: BreakpointTree | BreakpointTrigger): readonly string[] {
  if ('operator' in tree && tree.operator !== undefined) return tree.of.flatMap(typesIn);
  return tree.type === undefined ? [] : [tree.type];
}

/** Whether it waits for an access, whose value and address conditions may then ask about. */
export function waitsForAccess(tree: BreakpointTree | BreakpointTrigger): boolean {
  return typesIn(tree).some((type) => accessTypes.includes(type));
}

/** What only breakpoints of other machines do. */
export function refuseActions({ set, skip }: BreakpointSpec | BreakpointChange): void {
  const given = set ? 'set' : skip === undefined ? undefined : 'skip';
  if (given !== undefined) {
    throw refused(`Breakpoints of this machine have no ${given}.`, 'Stop there, and change the machine then.');
  }
}

function checkTree(tree: BreakpointTree, board: CommodoreBoard, chips: Chips): void {
  if (tree.operator !== undefined) {
    if (tree.of.length === 0) throw refused(`"${tree.operator}" joins nothing.`, 'Give it parts.');
    for (const part of tree.of) checkTree(part, board, chips);
  } else if (tree.type !== undefined) {
    const types = breakpointTypes(board).filter((type) => type !== 'composite');
    if (!types.includes(tree.type)) {
      throw refused(`No part of type ${JSON.stringify(tree.type)} here.`, `Types: ${types.join(', ')}.`);
    }
    if (tree.each) throw refused('In a tree, raster is true while the beam is in the range.', 'Leave "each" out.');
    checkTrigger(tree, board, chips);
  }
}

function partsOf(tree: BreakpointTree): number {
  return tree.operator === undefined ? 1 : tree.of.reduce((sum, part) => sum + partsOf(part), 1);
}

function checkTrigger(trigger: BreakpointTrigger, board: CommodoreBoard, chips: Chips): void {
  const { type, chip, mask, bank } = trigger;
  if (memoryTypes.includes(type)) {
    refuseOptions(trigger, ['bank']);
    requireRange(trigger, board.addressSpace - 1, 'outside memory', (last) => `$0000 to $${hex(last)}`);
    if (bank !== undefined && !/^(ram|rom|io|cart)$|^cart:\d{1,3}$/.test(bank)) {
      throw refused(`No bank ${JSON.stringify(bank)} here.`, 'Banks: ram, rom, io, cart, and cart:3 for its bank 3.');
    }
  } else if (type === 'raster') {
    refuseOptions(trigger, ['each']);
    requireRange(trigger, board.rasterLines - 1, 'outside the raster', (last) => `0 to ${last}`);
  } else if (type === 'chip_write') {
    refuseOptions(trigger, ['chip']);
    const found = chips.find(({ name }) => name === chip);
    if (!found) throw refused(`No chip ${JSON.stringify(chip ?? '')} here.`, `Chips: ${namesOf(chips)}.`);
    requireRange(trigger, found.registers - 1, `outside ${chip}`, (last) => `registers 0 to $${hex(last)}`);
  } else if (collisionTypes.includes(type)) {
    refuseOptions(trigger, ['mask']);
    if (mask !== undefined && (mask < 1 || mask > 0xff)) throw refused('No such sprites.', 'Masks: 1 to 255.');
  } else refuseOptions(trigger, []);
}

function requireRange(
  { address, length }: BreakpointTrigger,
  last: number,
  problem: string,
  range: (last: number) => string,
): void {
  if (address >= 0n && address + BigInt(length) - 1n <= BigInt(last)) return;
  throw new MachineError('ADDRESS_OUT_OF_BOUNDS', `The breakpoint is ${problem}.`, `Use ${range(last)}.`, {
    valid_range: range(last).replace(' to ', '-'),
  });
}

const options = ['chip', 'each', 'mask', 'bank'] as const;

function refuseOptions(trigger: BreakpointTrigger, allowed: readonly (typeof options)[number][]): void {
  const given = options.find((name) => trigger[name] !== undefined && !allowed.includes(name));
  if (given === undefined) return;
  throw refused(`A breakpoint of type ${trigger.type} has no ${given}.`, 'Leave it out.');
}

function namesOf(chips: Chips): string {
  return chips.map(({ name }) => name).join(', ');
}

function refused(problem: string, fix: string): MachineError {
  return new MachineError('INVALID_ARGUMENT', problem, fix);
}
