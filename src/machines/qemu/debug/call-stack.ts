import type { CallFrame } from '../../../machine/cpu.ts';
import type { QemuSymbols } from '../symbols/qemu-symbols.ts';
import { type CallEncoding, callSite, callSiteBytes } from './call-site.ts';
import { resumedByHandler } from './exception-frame.ts';
import type { Target } from './target.ts';
import { type ToldFrame, unwind } from './unwind.ts';

const maxFrames = 64;
/** Of the stack. */
const maxScannedWords = 256;
/** Asked for together: on a busy computer QEMU is waited for with each question. */
const pieceWords = 64;
const maxGuesses = 16;
/** Frames further apart than this are not believed. */
const maxFrameBytes = 1n << 20n;

/** Where a frame keeps the pointer to the one before it and the return address, from its own pointer on. */
interface Layout {
  readonly encoding: CallEncoding;
  readonly wordBytes: number;
  readonly frame: bigint;
  readonly previousAt: bigint;
  readonly returnAt: bigint;
  /** Added to frame pointers and to return addresses. */
  readonly stackBase: bigint;
  readonly codeBase: bigint;
  /** Of a 16-bit program: addresses wrap there. */
  readonly addressBits: number;
}

interface Frame extends CallFrame {
  readonly target?: bigint | undefined;
  /** This function returns there, whoever called it. */
  readonly sure?: boolean;
  /** The frame pointer is still, or again, that of the caller. */
  readonly unframed?: boolean;
}

/**
 * The calls that led here: as the program's file tells, or by frame pointers. Of those, only return addresses with a
 * call in front of them are believed, so that a register which is no frame pointer ends the list instead of filling
 * it with nonsense.
 */
export async function callStack(target: Target, symbols: QemuSymbols): Promise<Frame[]> {
  const told = await unwind(target, symbols);
  const layouts = await layoutsOf(target);
  const framed = await byFramePointer(target, symbols, layouts);
  const [first] = told;
  if (first === undefined && framed.length === 0) {
    const from = await resumedByHandler(target);
    return from === undefined ? [] : [{ from, returnsTo: from, guess: true }];
  }
  // Where the file says nothing of functions further out, the frame pointer may.
  if (first === undefined || (framed[0]?.returnsTo === first.returnsTo && framed.length > told.length)) return framed;
  const frames: Frame[] = [];
  // One after the other: the stub takes one question at a time.
  for (const each of told) frames.push(await toldFrame(target, layouts[0], each));
  const [innermost, ...outer] = frames;
  return innermost ? [{ ...innermost, sure: !first.interrupted }, ...outer] : [];
}

/**
 * Words on the stack that look like return addresses: there is a call in front of them and, where names are known, a
 * function around them. Some may be left over from calls that have returned.
 */
export async function scanStack(target: Target, symbols: QemuSymbols): Promise<Frame[]> {
  const [layout] = await layoutsOf(target);
  if (!layout) return [];
  const frames: Frame[] = [];
  const seen = new Map<bigint, Frame | undefined>([[0n, undefined]]);
  for await (const link of stackWords(target, layout)) {
    if (!seen.has(link)) seen.set(link, await frameOf(target, layout, link));
    const called = seen.get(link);
    if (!called || (symbols.size > 0 && !symbols.placeAt(called.returnsTo))) continue;
    frames.push({ ...called, guess: true });
    if (frames.length >= maxGuesses) break;
  }
  return frames;
}

/** From the stack pointer on, as far as there is memory. */
async function* stackWords(target: Target, layout: Layout): AsyncGenerator<bigint> {
  const { wordBytes, addressBits, stackBase } = layout;
  const sp = BigInt.asUintN(addressBits, await target.sp());
  for (let n = 0; n < maxScannedWords; n += pieceWords) {
    const from = sp + BigInt(n * wordBytes);
    const isStraight = (from + BigInt(pieceWords * wordBytes)) >> BigInt(addressBits) === 0n;
    const piece = isStraight && (await target.glanceNumbers(stackBase + from, wordBytes, pieceWords));
    if (piece) {
      yield* piece;
      continue;
    }
    for (let word = 0; word < pieceWords; word++) {
      const one = await readWord(target, layout, from + BigInt(word * wordBytes));
      if (one === undefined) return;
      yield one;
    }
  }
}

/** The calls that a frame pointer of an earlier moment leads to, as far as memory still has them. */
export async function framesFrom(target: Target, frame: bigint): Promise<Frame[]> {
  const [layout] = await layoutsOf(target);
  return layout ? follow(target, { ...layout, frame }) : [];
}

/** Where this function returns to, when that is certain: its own call, known by name, led here. */
export async function sureReturn(target: Target, symbols: QemuSymbols): Promise<bigint | undefined> {
  const start = symbols.placeAt(await target.pc())?.address;
  const [innermost] = await callStack(target, symbols);
  if (!innermost) return undefined;
  return innermost.sure || innermost.target === start ? innermost.returnsTo : undefined;
}

/** With the call that led away from there. Where no call is known by its bytes, all have the same length. */
async function toldFrame(target: Target, layout: Layout | undefined, told: ToldFrame): Promise<Frame> {
  const { returnsTo, link, interrupted } = told;
  if (interrupted) return { from: returnsTo, returnsTo };
  const found = layout && (await frameOf(target, layout, link));
  if (found) return found;
  // A push and a jump, or an interrupt: it goes on there, and nothing tells from where it left.
  if (target.isX86) return { from: returnsTo, returnsTo };
  const { delaySlotBytes = 0 } = target.architecture;
  return { from: returnsTo - BigInt(target.names.find('pswa') ? 6 : 4 + delaySlotBytes), returnsTo };
}

async function byFramePointer(target: Target, symbols: QemuSymbols, layouts: readonly Layout[]): Promise<Frame[]> {
  let best: Frame[] = [];
  for (const layout of layouts) {
    const frames = await follow(target, layout);
    if (frames.length > best.length) best = frames;
  }
  const first = layouts[0];
  const leaf = first ? await (target.isX86 ? x86Frame : linkFrame)(target, first, symbols) : undefined;
  return leaf && (leaf.unframed || leaf.returnsTo !== best[0]?.returnsTo) ? [leaf, ...best] : best;
}

async function follow(target: Target, layout: Layout): Promise<Frame[]> {
  const frames: Frame[] = [];
  let frame = layout.frame;
  while (frames.length < maxFrames && frame !== 0n) {
    const previous = await readWord(target, layout, frame + layout.previousAt);
    const link = await readWord(target, layout, frame + layout.returnAt);
    if (previous === undefined || link === undefined) break;
    const called = await frameOf(target, layout, link);
    if (!called) break;
    frames.push(called);
    if (previous <= frame || previous - frame > maxFrameBytes) break;
    frame = previous;
  }
  return frames;
}

/** Of the stack. */
function readWord(target: Target, layout: Layout, offset: bigint): Promise<bigint | undefined> {
  const address = layout.stackBase + BigInt.asUintN(layout.addressBits, offset);
  return target.glanceNumber(BigInt.asUintN(64, address), layout.wordBytes);
}

/** Before the frame is there and after it is gone: the return address is on top of the stack, or below the old frame. */
async function x86Frame(target: Target, layout: Layout, symbols: QemuSymbols): Promise<Frame | undefined> {
  const pc = await target.pc();
  const around = await target.glance(pc - 1n, 5);
  if (!around) return undefined;
  const [before, ...next] = around;
  const start = symbols.placeAt(pc)?.address;
  const pushed = before === 0x55 && isFrameMove(next);
  const onTop = pc === start || isReturn(next) || (next[0] === 0x55 && isFrameMove(next.slice(1)));
  if (!onTop && !pushed) return undefined;
  const sp = BigInt.asUintN(layout.addressBits, await target.sp());
  const link = await readWord(target, layout, pushed && !onTop ? sp + BigInt(layout.wordBytes) : sp);
  const called = link === undefined ? undefined : await frameOf(target, layout, link);
  return called && { ...called, sure: true, unframed: true };
}

/** `mov %rsp, %rbp`, with or without a prefix for 64 bits. */
function isFrameMove([first, second, third]: readonly number[]): boolean {
  return first === 0x48 ? second === 0x89 && third === 0xe5 : first === 0x89 && second === 0xe5;
}

function isReturn([first, second]: readonly number[]): boolean {
  return first === 0xc3 || first === 0xc2 || (first === 0xf3 && second === 0xc3);
}

/** While the link register has not been saved, or in a function that never saves it. */
async function linkFrame(target: Target, layout: Layout, symbols: QemuSymbols): Promise<Frame | undefined> {
  const { link } = target.names;
  const pc = await target.pc();
  const start = symbols.placeAt(pc)?.address;
  if (!link || start === undefined) return undefined;
  const called = await frameOf(target, layout, await target.register(link));
  if (!called) return undefined;
  // Nothing has touched it yet; who calls by way of a register does not say whom.
  if (pc === start) {
    return { ...called, sure: called.target === undefined || called.target === start, unframed: true };
  }
  if (symbols.placeAt(called.returnsTo)?.address === start) return undefined;
  // An old link register names a call of something else.
  return called.target === start ? called : undefined;
}

/** The call that a return address tells of, if there is one in front of it. */
async function frameOf(target: Target, layout: Layout, link: bigint): Promise<Frame | undefined> {
  // The lowest bit says whether the caller is Thumb code.
  const isThumb = layout.encoding === 'arm' && (link & 1n) === 1n;
  const returnsTo = layout.codeBase + (isThumb ? link - 1n : link);
  if (returnsTo < callSiteBytes) return undefined;
  const before = await target.glance(returnsTo - BigInt(callSiteBytes), callSiteBytes);
  const site = before && callSite(isThumb ? 'thumb' : layout.encoding, returnsTo, before);
  return site && { from: site.from, returnsTo, target: site.target };
}

/** In the order of how likely they are. */
async function layoutsOf(target: Target): Promise<Layout[]> {
  const plain = { stackBase: 0n, codeBase: 0n, addressBits: 64 };
  if (target.isX86) {
    const { code, stack } = await target.segments();
    const wordBytes = code.bits / 8;
    const frame = BigInt.asUintN(code.bits, await target.value(target.names.find('rbp') ? 'rbp' : 'ebp'));
    const encoding = code.bits === 16 ? 'x86-16' : 'x86';
    const bases = { stackBase: code.bits === 64 ? 0n : stack.base, codeBase: code.bits === 64 ? 0n : code.base };
    return [
      { encoding, wordBytes, frame, previousAt: 0n, returnAt: BigInt(wordBytes), ...bases, addressBits: code.bits },
    ];
  }
  const { pc } = target.names;
  if (pc && target.description.architecture.startsWith('riscv')) {
    const wordBytes = pc.bits / 8;
    const word = BigInt(wordBytes);
    return [
      {
        ...plain,
        encoding: wordBytes === 4 ? 'riscv32' : 'riscv64',
        wordBytes,
        frame: await target.value('s0'),
        previousAt: -2n * word,
        returnAt: -word,
      },
    ];
  }
  if (target.names.find('x29')) {
    return [
      { ...plain, encoding: 'aarch64', wordBytes: 8, frame: await target.value('x29'), previousAt: 0n, returnAt: 8n },
    ];
  }
  if (!target.names.find('r11') || !target.isArm) return [];
  const [r7, r11] = [await target.value('r7'), await target.value('r11')];
  const arm = { ...plain, wordBytes: 4, addressBits: 32, encoding: 'arm' } as const;
  if (target.isCortexM) return [{ ...arm, frame: r7, previousAt: 0n, returnAt: 4n }];
  return [
    { ...arm, frame: r11, previousAt: -4n, returnAt: 0n },
    { ...arm, frame: r11, previousAt: 0n, returnAt: 4n },
    { ...arm, frame: r7, previousAt: 0n, returnAt: 4n },
  ];
}
