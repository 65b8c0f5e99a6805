/** A block of extended memory, in kilobytes from the driver's first one. */
export interface XmsBlock {
  readonly handle: number;
  start: number;
  kilobytes: number;
  locks: number;
}

/** Who has which part of extended memory. Blocks are kept in the order of their addresses. */
export class ExtendedMemory {
  readonly kilobytes: number;
  blocks: XmsBlock[] = [];

  constructor(kilobytes: number) {
    this.kilobytes = kilobytes;
  }

  find(handle: number): XmsBlock | undefined {
    return this.blocks.find((block) => block.handle === handle);
  }

  get free(): number {
    return this.kilobytes - this.blocks.reduce((sum, block) => sum + block.kilobytes, 0);
  }

  get largest(): number {
    return Math.max(0, ...this.#gaps().map(({ kilobytes }) => kilobytes));
  }

  /** Undefined where no gap is large enough. A block of nothing has a handle too. */
  allocate(kilobytes: number, handlesMax: number): XmsBlock | 'full' | undefined {
    if (this.blocks.length >= handlesMax) return 'full';
    const gap =
      this.#gaps().find((each) => each.kilobytes >= kilobytes) ?? (kilobytes === 0 ? { start: 0 } : undefined);
    if (gap === undefined) return undefined;
    let handle = 1;
    while (this.find(handle) !== undefined) handle++;
    const block = { handle, start: gap.start, kilobytes, locks: 0 };
    this.blocks.push(block);
    this.#sort();
    return block;
  }

  release(block: XmsBlock): void {
    this.blocks = this.blocks.filter((each) => each !== block);
  }

  /** In place where it fits, else to another gap: `move` copies from one kilobyte to another. */
  resize(block: XmsBlock, kilobytes: number, move: (from: number, to: number, kilobytes: number) => void): boolean {
    const others = this.blocks.filter((each) => each !== block);
    const next = others.find((each) => each.kilobytes > 0 && each.start >= block.start);
    const room = (next?.start ?? this.kilobytes) - block.start;
    if (kilobytes > room) {
      const gap = this.#gaps().find((each) => each.kilobytes >= kilobytes);
      if (gap === undefined) return false;
      move(block.start, gap.start, block.kilobytes);
      block.start = gap.start;
    }
    block.kilobytes = kilobytes;
    this.#sort();
    return true;
  }

  #sort(): void {
    this.blocks.sort((a, b) => a.start - b.start || a.kilobytes - b.kilobytes);
  }

  #gaps(): { readonly start: number; readonly kilobytes: number }[] {
    const gaps: { start: number; kilobytes: number }[] = [];
    let end = 0;
    for (const block of this.blocks) {
      if (block.start > end) gaps.push({ start: end, kilobytes: block.start - end });
      end = Math.max(end, block.start + block.kilobytes);
    }
    if (end < this.kilobytes) gaps.push({ start: end, kilobytes: this.kilobytes - end });
    return gaps;
  }
}
