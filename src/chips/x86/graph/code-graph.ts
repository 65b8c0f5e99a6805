import type { CodeSpace } from '../code-space.ts';
import { dissolve } from '../compile.ts';
import type { Decoder } from '../decode.ts';
import type { Instruction } from '../instruction.ts';
import type { X86Memory } from '../memory.ts';
import { operationOf } from '../operations/index.ts';
import { Block, type Edge, edgeBetween, leadThrough, Selector } from './block.ts';
import { type ByteAt, CodeMap, isInMemory, sameShape } from './code-map.ts';
import { divideBases } from './segment-bases.ts';

const longestBlock = 64;
/** Code that changes so often, so many instructions apart at most, is not worth watching. */
const changesOfVolatile = 3;
const shortSuccession = 200_000;
const mostComparisons = 4096;
/** What a graph may grow to; see `isFull`. */
const mostBlocks = 32_768;
const mostInstructions = 131_072;
/** What it costs to find out what lies at an address, in rounds of a string instruction. */
const decodeRounds = 150;

/** Everything that was ever decoded at one address. */
interface Place {
  /** What lies there now; null when it has to be decoded again. */
  current: Instruction | null;
  readonly variants: Instruction[];
  selector: Selector | null;
  /** How often in short succession its bytes were changed, and when last. */
  changes: number;
  changedAt: number;
  /** They are no longer watched: see `Block.guarded`. */
  volatile: boolean;
}

/** A point of execution: between two instructions of a block, or before its first (`after` is null then). */
export interface Position {
  readonly block: Block;
  readonly after: Instruction | null;
}

/** How often code has run, at one moment. */
export interface Census {
  executions(node: Instruction): number;
  /** Instructions of a block that have run: those at its end may have been decoded only. */
  executed(block: Block): readonly Instruction[];
}

/** Where the graph gets what it cannot know. */
export interface GraphSurroundings {
  readonly decoder: Decoder;
  readonly memory: X86Memory;
  /** How code is read now. */
  space(): CodeSpace;
  /** A byte of code, and where it lies, by linear address; -1 where its page is not there. */
  readonly byteAt: ByteAt;
  readonly physical: ByteAt;
  /** Where it lies; from now on a change of its page is told to `remap`. */
  readonly hold: ByteAt;
  /** Gives an instruction its handler. */
  bind(node: Instruction): void;
  /** All points at which execution is under way inside a block. */
  positions(): Position[];
  /** Instructions executed so far. */
  now(): number;
  /** Linear addresses at which the segments begin, in the order of their encoding. */
  bases(): Int32Array;
  /** Takes note of work, in rounds of a string instruction. */
  tire(rounds: number): void;
}

/** The decode cache, which is the control-flow graph. */
export class CodeGraph {
  readonly #around: GraphSurroundings;
  readonly #places = new Map<number, Place>();
  readonly #beyond = new Map<number, Place>();
  readonly #code: CodeMap;
  readonly #blocks = new Set<Block>();
  /** Ever decoded, variants included. */
  #instructions = 0;

  constructor(surroundings: GraphSurroundings) {
    this.#around = surroundings;
    this.#code = new CodeMap(surroundings.memory, surroundings.physical, surroundings.hold);
  }

  get blocks(): Iterable<Block> {
    return this.#blocks;
  }

  /** It has grown beyond what programs need: one that changes itself for ever would fill all memory. */
  get isFull(): boolean {
    return this.#blocks.size > mostBlocks || this.#instructions > mostInstructions;
  }

  get selectors(): Selector[] {
    return [...this.#places.values()].flatMap(({ selector }) => selector ?? []);
  }

  /** The address, as code is read now, as one number. */
  keyOf(cs: number, ip: number): number {
    return this.#around.space().keyOf(cs, ip);
  }

  /** The instruction that lies at an address now, if it was decoded. */
  nodeAt(cs: number, ip: number): Instruction | null {
    const place = this.#places.get(this.keyOf(cs, ip));
    const current = place?.current ?? null;
    return current && place?.volatile && !isInMemory(current, this.#around.byteAt) ? null : current;
  }

  /** True when it is what lies at its address. */
  isCurrentNode(node: Instruction): boolean {
    const place = this.#placeOf(node);
    return place.current === node && (!place.volatile || isInMemory(node, this.#around.byteAt));
  }

  /** Every instruction ever decoded at an address. */
  variantsAt(cs: number, ip: number): readonly Instruction[] {
    return this.#places.get(this.keyOf(cs, ip))?.variants ?? [];
  }

  /** Every instruction ever decoded at the address of one. */
  variantsOf({ key }: Pick<Instruction, 'key'>): readonly Instruction[] {
    return this.#places.get(key)?.variants ?? [];
  }

  /** What an edge to an address leads to. */
  destination(cs: number, ip: number): Block | Selector {
    const place = this.#place(cs, ip);
    if (place.selector) return place.selector;
    const known = place.volatile ? null : place.current;
    return this.#blockFrom(known ?? this.#resolve(place, cs, ip));
  }

  /** True when a block may run as it is. One that has been compared often is watched again: its changes may be over. */
  isCurrent(block: Block): boolean {
    if (!block.guarded) return block.alive;
    if (!block.alive || !isInMemory(block.first, this.#around.byteAt)) return false;
    block.comparisons += 1;
    if (block.comparisons % mostComparisons === 0) this.#watchAgain(block);
    return true;
  }

  /** As `destination`, for edges from blocks: once one of them has led to different instructions there, a selector. */
  destinationFrom(from: readonly Instruction[], cs: number, ip: number): Block | Selector {
    const destination = this.destination(cs, ip);
    if (!(destination instanceof Block)) return destination;
    const { key } = destination;
    for (const { block } of from) this.#around.tire(block?.out.length ?? 0);
    const chose = from.some(({ block }) =>
      block?.out.some((edge) => edge.key === key && edge.to !== destination && !isAbsent(edge.to)),
    );
    if (isAbsent(destination)) return destination;
    return chose ? this.#makeSelector(this.#place(cs, ip), cs, ip) : destination;
  }

  /** The block to run at an address, coming from an edge's destination. */
  enter(destination: Block | Selector): Block {
    if (destination instanceof Block) return destination;
    const variant = this.#select(destination);
    const edge = edgeBetween(destination, this.#blockFrom(variant), 'normal');
    edge.count += 1;
    return edge.to as Block;
  }

  /** A write changed bytes of code. */
  changed(physical: number): void {
    for (const node of this.#code.at(physical)) this.#kill(node);
  }

  /** Memory was replaced in a range: what no longer lies there is dead. */
  check(first: number, last: number): void {
    for (const node of this.#code.within(first - 15, last)) {
      if (!this.#code.isThere(node)) this.#kill(node);
    }
  }

  /** Address line 20 was switched. */
  switched(): void {
    this.#placeAgain(this.#code.high());
    this.remap();
  }

  /** Pages may lie elsewhere: all of the present directory, or those with these numbers. Of others one hears when they come back. */
  remap(pages?: ReadonlySet<number>): void {
    const directory = this.#around.space().pages;
    if (directory >= 0) this.#placeAgain(this.#code.moved(directory, pages));
  }

  #placeAgain(nodes: readonly Instruction[]): void {
    for (const node of nodes) {
      if (this.#code.isWhereItWas(node)) continue;
      if (!isInMemory(node, this.#around.byteAt)) this.#kill(node);
      else {
        this.#code.unwatch(node);
        this.#code.watch(node);
      }
    }
  }

  /** Ends a block after a node, so that it may have more than one successor. */
  cutAfter(node: Instruction): void {
    const { block } = node;
    if (block && node.position < block.nodes.length - 1) this.#split(block, node.position + 1);
  }

  /** How often an instruction has run. */
  executions(node: Instruction): number {
    const { block, position } = node;
    if (!block) return 0;
    return block.passes - this.#waiting(block, position);
  }

  /** For those who ask about many instructions while nothing runs. */
  census(): Census {
    const under = new Map<Block, (Instruction | null)[]>();
    for (const { block, after } of this.#around.positions()) {
      const inside = (after ? after.block : block) as Block;
      under.set(inside, [...(under.get(inside) ?? []), after]);
    }
    const waiting = (block: Block, position: number) =>
      under.get(block)?.filter((after) => after === null || after.position < position).length ?? 0;
    return {
      executions: ({ block, position }) => (block ? block.passes - waiting(block, position) : 0),
      executed: (block) => {
        const { nodes, passes } = block;
        if (passes - waiting(block, nodes.length - 1) > 0) return nodes;
        return nodes.filter(({ position }) => passes - waiting(block, position) > 0);
      },
    };
  }

  clear(): void {
    this.#places.clear();
    this.#beyond.clear();
    this.#blocks.clear();
    this.#code.clear();
    this.#instructions = 0;
  }

  /** Takes in an instruction that was decoded before; `current` when it is what lies in memory. */
  adopt(node: Instruction, current: boolean): void {
    const place = this.#placeOf(node);
    place.variants.push(node);
    this.#instructions += 1;
    this.#around.bind(node);
    if (!current) return;
    place.current = node;
    this.#code.watch(node);
  }

  adoptBlock(block: Block): void {
    this.#blocks.add(block);
  }

  /** Puts a selector in front of the instructions taken in at its address. */
  adoptSelector(key: number): Selector {
    const place = this.#placeAt(key);
    place.selector = new Selector(key, place.variants);
    return place.selector;
  }

  #place(cs: number, ip: number): Place {
    const space = this.#around.space();
    // What lies after the end of a segment only faults, but has an address too.
    return space.plain && ip > 0xffff ? this.#placeIn(this.#beyond, cs) : this.#placeAt(space.keyOf(cs, ip));
  }

  #placeOf({ space, cs, ip, key }: Instruction): Place {
    return space.plain && ip > 0xffff ? this.#placeIn(this.#beyond, cs) : this.#placeAt(key);
  }

  #placeAt(key: number): Place {
    return this.#placeIn(this.#places, key);
  }

  #placeIn(places: Map<number, Place>, key: number): Place {
    let place = places.get(key);
    if (!place) {
      place = { current: null, variants: [], selector: null, changes: 0, changedAt: 0, volatile: false };
      places.set(key, place);
    }
    return place;
  }

  /** Finds out what lies at an address: something new, something old again, or something old with another operand. */
  #resolve(place: Place, cs: number, ip: number): Instruction {
    const { byteAt, decoder } = this.#around;
    this.#around.tire(decodeRounds + place.variants.length * 4);
    const old = place.variants.find((variant) => isInMemory(variant, byteAt));
    if (old) return this.#revive(place, old);
    const node = decoder.decode(cs, ip, this.#around.space());
    const similar = place.variants.find((variant) => sameShape(variant, node));
    if (similar) {
      const differs = similar.fields.filter((field) => !sameField(similar, node, field));
      similar.wild = [...similar.wild, ...differs];
      this.#around.bind(similar);
      return this.#revive(place, similar);
    }
    this.#around.bind(node);
    place.variants.push(node);
    this.#instructions += 1;
    // A page may come at any time: nobody tells.
    place.volatile = node.form.mnemonic === 'absent' || (place.volatile && !place.variants.some(isAbsentNode));
    place.current = node;
    if (!place.volatile) this.#code.watch(node);
    return node;
  }

  #revive(place: Place, node: Instruction): Instruction {
    node.live = true;
    if (node.block) {
      node.block.alive = true;
      node.block.guarded = place.volatile;
    }
    place.current = node;
    if (!place.volatile) this.#code.watch(node);
    return node;
  }

  #watchAgain(block: Block): void {
    const { first } = block;
    if (isAbsentNode(first)) return;
    const place = this.#placeOf(first);
    for (const { block: other } of place.variants) {
      if (!other) continue;
      other.guarded = false;
      other.heat = 0;
    }
    place.volatile = false;
    place.changes = 0;
    if (place.selector) return;
    place.current = first;
    this.#code.watch(first);
  }

  /** From now on memory is looked at whenever execution comes here, so nobody has to watch it. */
  #makeSelector(place: Place, cs: number, ip: number): Selector {
    const selector = new Selector(this.keyOf(cs, ip), place.variants);
    place.selector = selector;
    place.volatile = false;
    place.current = null;
    for (const variant of place.variants) {
      this.#code.unwatch(variant);
      variant.live = true;
      if (!variant.block) continue;
      dissolve(variant.block);
      variant.block.alive = true;
      variant.block.guarded = false;
      leadThrough(selector, variant.block);
    }
    return selector;
  }

  #select(selector: Selector): Instruction {
    const { byteAt } = this.#around;
    this.#around.tire(selector.variants.length * 4);
    const known = selector.variants.find((variant) => isInMemory(variant, byteAt));
    if (known) return known;
    const { cs, ip, space } = selector.variants[0] as Instruction;
    const node = this.#around.decoder.decode(cs, ip, space);
    const similar = selector.variants.find((variant) => sameShape(variant, node));
    if (similar) {
      similar.wild = [...similar.wild, ...similar.fields.filter((field) => !sameField(similar, node, field))];
      this.#around.bind(similar);
      return similar;
    }
    this.#around.bind(node);
    selector.variants.push(node);
    this.#instructions += 1;
    return node;
  }

  #blockFrom(node: Instruction): Block {
    if (!node.block) return this.#build(node);
    return node.position === 0 ? node.block : this.#split(node.block, node.position);
  }

  /** Decodes on until something ends the block, or another one begins. */
  #build(first: Instruction): Block {
    const nodes = [first];
    const own = this.#places.get(first.key);
    const alone = own?.selector != null || own?.volatile === true;
    let last = first;
    const most = first.space.plain ? 0xffff : first.space.limit;
    while (!alone && !endsBlock(last) && last.next <= most && nodes.length < longestBlock) {
      const place = this.#place(last.cs, last.next);
      if (place.current || place.selector || place.volatile) break;
      const next = this.#resolve(place, last.cs, last.next);
      if (next.block || isAbsentNode(next)) break;
      last = next;
      nodes.push(last);
    }
    const block = new Block(nodes);
    block.bases = this.#around.bases();
    block.guarded = own?.volatile === true;
    this.#blocks.add(block);
    return block;
  }

  /** Cuts a block in two, with an edge between the halves that has the count of the passes so far. */
  #split(block: Block, at: number): Block {
    dissolve(block);
    const passes = block.passes - this.#waiting(block, at);
    const tail = new Block(block.nodes.splice(at));
    tail.alive = block.alive;
    divideBases(block, tail);
    this.#blocks.add(tail);
    tail.out.push(...block.out.splice(0));
    for (const edge of tail.out) edge.from = tail;
    tail.next = block.next;
    tail.taken = block.taken;
    tail.returned = block.returned;
    block.taken = null;
    block.returned = null;
    block.next = edgeBetween(block, tail, 'normal');
    block.next.count = passes;
    return tail;
  }

  /** Passes under way that have not come to a node of a block. */
  #waiting(block: Block, position: number): number {
    const inside = this.#around.positions().filter((at) => (at.after ? at.after.block : at.block) === block);
    return inside.filter(({ after }) => after === null || after.position < position).length;
  }

  /** Its bytes are others now. What ran is kept as a block of its own; what never ran is forgotten. */
  #kill(node: Instruction): void {
    const { block } = node;
    this.#code.unwatch(node);
    node.live = false;
    const place = this.#placeOf(node);
    if (place.current === node) place.current = null;
    this.#countChange(place);
    if (!block) return;
    if (node.position < block.nodes.length - 1) this.#split(block, node.position + 1);
    const own = node.position > 0 ? this.#split(block, node.position) : block;
    own.alive = false;
    dissolve(own);
    for (const edge of own.in) edge.target = null;
    if (this.executions(node) === 0) this.#forget(own, place, node);
  }

  #countChange(place: Place): void {
    const now = this.#around.now();
    place.changes = now - place.changedAt < shortSuccession ? place.changes + 1 : 1;
    place.changedAt = now;
    place.volatile = place.selector === null && place.changes >= changesOfVolatile;
  }

  #forget(block: Block, place: Place, node: Instruction): void {
    place.variants.splice(place.variants.indexOf(node), 1);
    this.#instructions -= 1;
    this.#blocks.delete(block);
    for (const edge of block.out) remove(edge.to.in, edge);
    for (const edge of block.in) {
      remove(edge.from.out, edge);
      if (edge.from instanceof Block) dropEdge(edge.from, edge);
    }
    node.block = null;
  }
}

function isAbsentNode({ form }: Instruction): boolean {
  return form.mnemonic === 'absent';
}

/** Stands for code on a page that was not there: no variant of what is there. */
function isAbsent(spot: Block | Selector): boolean {
  return spot instanceof Block && isAbsentNode(spot.first);
}

function dropEdge(block: Block, edge: Edge): void {
  if (block.next === edge) block.next = null;
  if (block.taken === edge) block.taken = null;
  if (block.returned === edge) block.returned = null;
}

function remove<Item>(list: Item[], item: Item): void {
  const index = list.indexOf(item);
  if (index >= 0) list.splice(index, 1);
}

function sameField(one: Instruction, other: Instruction, { offset, size }: { offset: number; size: number }): boolean {
  for (let n = offset; n < offset + size; n += 1) if (one.bytes[n] !== other.bytes[n]) return false;
  return true;
}

/** True for instructions after which execution may go elsewhere, or not go on at all. */
export function endsBlock(node: Instruction): boolean {
  const { control } = operationOf(node);
  const { mnemonic } = node.form;
  if (control === 'jump') return true;
  if (mnemonic === 'mov' || mnemonic === 'pop') {
    const [first] = node.operands;
    return first?.kind === 'segment' && first.index === 1;
  }
  return mnemonic === 'hlt' || mnemonic === 'invalid' || mnemonic === 'overlong';
}
