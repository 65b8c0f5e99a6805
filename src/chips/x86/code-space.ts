/** What decides how code is read and run, besides its bytes. */
export interface SpaceTraits {
  /** Real and virtual 8086 mode: the segment register itself tells the base. */
  readonly segmented: boolean;
  readonly base: number;
  readonly limit: number;
  /** Operands and addresses have 32 bits where no prefix says otherwise. */
  readonly wide: boolean;
  readonly wideStack: boolean;
  /** The page directory, where addresses are translated; -1 without paging. */
  readonly pages: number;
  /** With pages: read as a user, who may not have all of them. */
  readonly asUser: boolean;
  /** The selector it was first reached through. */
  readonly selector: number;
}

const keysOfSpace = 0x100000000;
/** More than this are made by programs that want to fill memory. */
const mostSpaces = 4096;

/**
 * Code that is read in the same way: with the same base, limit and sizes. Real mode is one space, the plain one, in which
 * addresses are known by segment and offset; in protected mode aliases of a segment are the same space.
 */
export class CodeSpace implements SpaceTraits {
  readonly id: number;
  readonly segmented: boolean;
  readonly base: number;
  readonly limit: number;
  readonly wide: boolean;
  readonly wideStack: boolean;
  readonly pages: number;
  readonly asUser: boolean;
  readonly selector: number;
  /** Real mode as the 8086 has it. */
  readonly plain: boolean;

  constructor(id: number, traits: SpaceTraits) {
    this.id = id;
    this.plain = id === 0;
    this.segmented = traits.segmented;
    this.base = traits.base;
    this.limit = traits.limit;
    this.wide = traits.wide;
    this.wideStack = traits.wideStack;
    this.pages = traits.pages;
    this.asUser = traits.asUser;
    this.selector = traits.selector;
  }

  get isPaged(): boolean {
    return this.pages >= 0;
  }

  /** True where code is read in just that way, whatever the selector. */
  is({ segmented, base, limit, wide, wideStack, pages, asUser }: SpaceTraits): boolean {
    return (
      this.base === base &&
      this.limit === limit &&
      this.segmented === segmented &&
      this.wide === wide &&
      this.wideStack === wideStack &&
      this.pages === pages &&
      this.asUser === asUser
    );
  }

  /** Linear address at which a segment of it begins. */
  baseOf(cs: number): number {
    return this.segmented ? cs << 4 : this.base;
  }

  linear(cs: number, ip: number): number {
    return this.plain ? (cs << 4) + ip : (this.baseOf(cs) + ip) >>> 0;
  }

  /** An address in it as one number. */
  keyOf(cs: number, ip: number): number {
    if (this.id === 0) return (cs << 16) | ip;
    return this.id * keysOfSpace + (this.segmented ? ((cs << 16) | ip) >>> 0 : ip >>> 0);
  }

  /** The same as text for compiled code. */
  keyText(cs: string, ip: string): string {
    if (this.id === 0) return `${cs} << 16 | ${ip}`;
    const within = this.segmented ? `(${cs} << 16 | ${ip}) >>> 0` : `${ip} >>> 0`;
    return `${this.id * keysOfSpace} + (${within})`;
  }

  /** An offset that went beyond what the instruction pointer holds. */
  wrap(ip: number): number {
    return this.wide ? ip >>> 0 : ip & 0xffff;
  }
}

const realTraits: SpaceTraits = {
  segmented: true,
  base: 0,
  limit: 0xffff,
  wide: false,
  wideStack: false,
  pages: -1,
  asUser: false,
  selector: 0,
};

export const realSpace = new CodeSpace(0, realTraits);

/** A segmented address and where it lies. */
export interface CodeAddress {
  readonly cs: number;
  readonly ip: number;
  readonly linear: number;
  readonly space: CodeSpace;
}

/** The spaces that a processor has run code in. */
export class CodeSpaces {
  #all: CodeSpace[] = [realSpace];
  /** All but real mode. */
  readonly #byBase = new Map<number, CodeSpace[]>();
  /** Interrupts and their returns mostly stay in one. */
  #last: CodeSpace | null = null;

  get isFull(): boolean {
    return this.#all.length > mostSpaces;
  }

  find(traits: SpaceTraits): CodeSpace {
    if (this.#last?.is(traits)) return this.#last;
    const there = this.#byBase.get(traits.base);
    this.#last = there?.find((space) => space.is(traits)) ?? this.#add(traits);
    return this.#last;
  }

  #add(traits: SpaceTraits): CodeSpace {
    const space = new CodeSpace(this.#all.length, traits);
    this.#all.push(space);
    const { base } = traits;
    this.#byBase.set(base, [...(this.#byBase.get(base) ?? []), space]);
    return space;
  }

  /** By number, as keys and saved graphs have it. */
  at(id: number): CodeSpace {
    return this.#all[id] ?? realSpace;
  }

  /** What a key stands for. */
  addressOf(key: number): CodeAddress {
    const space = key < keysOfSpace ? realSpace : this.at(Math.floor(key / keysOfSpace));
    const rest = key >>> 0;
    const [cs, ip] = space.segmented ? [rest >>> 16, rest & 0xffff] : [space.selector, rest];
    return { cs, ip, linear: space.linear(cs, ip), space };
  }

  /** All but real mode, in order: `find` gives them the same numbers again. */
  saved(): readonly SpaceTraits[] {
    return this.#all.slice(1).map(({ segmented, base, limit, wide, wideStack, pages, asUser, selector }) => ({
      ...{ segmented, base, limit, wide, wideStack, pages, asUser, selector },
    }));
  }

  /** Forgets all but real mode: no code of them is known any more. */
  clear(): void {
    this.#all = [realSpace];
    this.#byBase.clear();
    this.#last = null;
  }
}
