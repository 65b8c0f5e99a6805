import { fields as cpu, interruptRow } from '../../../chips/mos6510/registers.ts';
import type { Profile, ProfileNode, RoutineEntry } from '../../../machine/profile.ts';
import type { CommodoreBoard } from '../board/commodore-board.ts';
import type { PastWatcher } from '../machine/past-review.ts';

const jsrOpcode = 0x20;
const mostNodes = 4000;
/** As many return addresses as a stack holds: calls within more of them have overwritten their own. */
const mostDepth = 128;
const mostOwners = 250;

/** A node that is being counted. */
class Node {
  readonly address: number;
  readonly kind: RoutineEntry['kind'];
  readonly children = new Map<number, Node>();
  calls = 0;
  self = 0;
  selfBefore = 0;
  most = 0;

  constructor(address: number, kind: RoutineEntry['kind']) {
    this.address = address;
    this.kind = kind;
  }

  get routine(): string {
    return `${this.kind} ${this.address}`;
  }

  /** A frame is over: how much of it this took, with everything called. It is added up by routine too, where none calls itself. */
  endFrame(byRoutine: Map<string, number>, above: Set<string>): number {
    const { routine } = this;
    const isInside = above.has(routine);
    above.add(routine);
    let spent = this.self - this.selfBefore;
    this.selfBefore = this.self;
    for (const child of this.children.values()) spent += child.endFrame(byRoutine, above);
    this.most = Math.max(this.most, spent);
    if (isInside) return spent;
    above.delete(routine);
    byRoutine.set(routine, (byRoutine.get(routine) ?? 0) + spent);
    return spent;
  }

  shown(mostOf: ReadonlyMap<string, number>): ProfileNode {
    const children = [...this.children.values()].map((child) => child.shown(mostOf)).sort(byTotal);
    const { kind, calls, self, most } = this;
    const total = children.reduce((sum, child) => sum + child.total, self);
    const mostOfRoutine = mostOf.get(this.routine) ?? 0;
    return { address: BigInt(this.address), kind, calls, self, total, most, mostOfRoutine, children };
  }
}

const byTotal = (one: { readonly total: number }, other: { readonly total: number }) => other.total - one.total;

/** Charges each cycle to the instruction and the routine that had it. */
export class ProfileRecorder implements PastWatcher {
  readonly #board: CommodoreBoard;
  readonly #cyclesPerLine: number;
  readonly #byAddress = new Float64Array(0x10000);
  readonly #owners: (Node | undefined)[] = [undefined];
  readonly #ownerOf = new Map<string, number>();
  readonly #raster: Uint8Array;
  #root = new Node(0, 'main');
  /** By routine, the most that it took in a frame, wherever it was called from. */
  readonly #mostOf = new Map<string, number>();
  /** Calls under way, with the stack pointer that each began with. */
  #stack: { readonly node: Node; readonly s: number }[] = [];
  #nodes = 1;
  #pc = 0;
  /** Of the instruction under way; -1 between two. */
  #opcode = -1;
  #nmis = 0;
  #frame = 0;
  #stolen = 0;
  #cycles = 0;

  constructor(board: CommodoreBoard, cyclesPerLine: number) {
    this.#board = board;
    this.#cyclesPerLine = cyclesPerLine;
    this.#raster = new Uint8Array(board.frameSpan);
  }

  begin(): void {
    const { state } = this.#board.cpu;
    const step = state[cpu.step];
    const isUnderWay = (step & 7) !== 0;
    this.#pc = isUnderWay ? state[cpu.instructionPc] : state[cpu.pc];
    this.#opcode = isUnderWay ? step >> 3 : -1;
    this.#root = new Node(this.#pc, 'main');
    this.#nmis = state[cpu.nmiCount];
    this.#frame = this.#board.frameCount;
  }

  cycle(): void {
    const { cpu: processor, frameCount, rasterLine, rasterCycle } = this.#board;
    const { state } = processor;
    if (frameCount !== this.#frame) {
      this.#frame = frameCount;
      this.end();
    }
    const step = state[cpu.step];
    const isUnderWay = (step & 7) !== 0;
    if (isUnderWay) {
      this.#pc = state[cpu.instructionPc];
      this.#opcode = step >> 3;
    }
    const node = this.#stack.at(-1)?.node ?? this.#root;
    const isStolen = state[cpu.rdy] === 0;
    node.self += 1;
    this.#cycles += 1;
    if (isStolen) this.#stolen += 1;
    this.#byAddress[this.#pc] = (this.#byAddress[this.#pc] ?? 0) + 1;
    const place = rasterLine * this.#cyclesPerLine + rasterCycle - 1;
    this.#raster[place] = isStolen ? 0 : this.#owner(node);
    if (!isUnderWay && this.#opcode >= 0) this.#endInstruction();
  }

  end(): void {
    const byRoutine = new Map<string, number>();
    this.#root.endFrame(byRoutine, new Set());
    for (const [routine, spent] of byRoutine) {
      this.#mostOf.set(routine, Math.max(this.#mostOf.get(routine) ?? 0, spent));
    }
  }

  profile(frames: number): Profile {
    const instructions = [...this.#byAddress.entries()]
      .filter(([, cycles]) => cycles > 0)
      .map(([address, cycles]) => ({ address: BigInt(address), cycles }));
    const width = this.#cyclesPerLine;
    return {
      frames,
      cycles: this.#cycles,
      stolen: this.#stolen,
      instructions,
      root: this.#root.shown(this.#mostOf),
      raster: { width, height: Math.floor(this.#raster.length / width), pixels: this.#raster },
      owners: this.#owners.map((node) => node && { address: BigInt(node.address), kind: node.kind }),
    };
  }

  #endInstruction(): void {
    const { state } = this.#board.cpu;
    const opcode = this.#opcode;
    this.#opcode = -1;
    // What has been pulled from the stack beyond its beginning has returned. The pointer wraps.
    for (let top = this.#stack.at(-1); top && ((state[cpu.s] - top.s) << 24) >> 24 > 0; top = this.#stack.at(-1)) {
      this.#stack.pop();
    }
    if (opcode === jsrOpcode) this.#enter('call');
    else if (opcode === interruptRow || opcode === 0) {
      this.#enter(state[cpu.nmiCount] === this.#nmis ? 'irq' : 'nmi');
      this.#nmis = state[cpu.nmiCount];
    }
  }

  #enter(kind: RoutineEntry['kind']): void {
    const { state } = this.#board.cpu;
    if (this.#stack.length >= mostDepth) return;
    const from = this.#stack.at(-1)?.node ?? this.#root;
    const address = state[cpu.pc];
    let node = from.children.get(address);
    if (!node) {
      if (this.#nodes >= mostNodes) return;
      this.#nodes += 1;
      node = new Node(address, kind);
      from.children.set(address, node);
    }
    node.calls += 1;
    this.#stack.push({ node, s: state[cpu.s] });
  }

  /** One number for a routine wherever it is called from. */
  #owner(node: Node): number {
    const key = node.routine;
    const known = this.#ownerOf.get(key);
    if (known !== undefined) return known;
    if (this.#owners.length >= mostOwners) return mostOwners - 1;
    this.#owners.push(node);
    this.#ownerOf.set(key, this.#owners.length - 1);
    return this.#owners.length - 1;
  }
}
