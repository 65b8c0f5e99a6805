interface UpperBlock {
  readonly segment: number;
  paragraphs: number;
}

/** Upper memory that the XMS driver gives away, where DOS has not taken it. */
export class UpperBlocks {
  readonly #first: number;
  readonly #end: number;
  blocks: UpperBlock[] = [];

  constructor(first: number, end: number) {
    this.#first = first;
    this.#end = end;
  }

  get largest(): number {
    return Math.max(0, ...this.#gaps().map(({ paragraphs }) => paragraphs));
  }

  /** Its segment; undefined where no gap is large enough. */
  request(paragraphs: number): number | undefined {
    const gap = this.#gaps().find((each) => each.paragraphs >= paragraphs);
    if (gap === undefined) return undefined;
    this.blocks.push({ segment: gap.segment, paragraphs });
    this.blocks.sort((a, b) => a.segment - b.segment);
    return gap.segment;
  }

  release(segment: number): boolean {
    const left = this.blocks.filter((block) => block.segment !== segment);
    const found = left.length < this.blocks.length;
    this.blocks = left;
    return found;
  }

  /** True, or the most it could have; undefined where there is no such block. */
  resize(segment: number, paragraphs: number): true | number | undefined {
    const index = this.blocks.findIndex((block) => block.segment === segment);
    const block = this.blocks[index];
    if (block === undefined) return undefined;
    const most = (this.blocks[index + 1]?.segment ?? this.#end) - segment;
    if (paragraphs > most) return most;
    block.paragraphs = paragraphs;
    return true;
  }

  #gaps(): UpperBlock[] {
    const gaps: UpperBlock[] = [];
    let from = this.#first;
    for (const block of [...this.blocks, { segment: this.#end, paragraphs: 0 }]) {
      if (block.segment > from) gaps.push({ segment: from, paragraphs: block.segment - from });
      from = block.segment + block.paragraphs;
    }
    return gaps;
  }
}
