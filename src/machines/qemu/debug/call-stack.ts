import type { CallFrame } from '../../../machine/cpu.ts';
import type { QemuSymbols } from '../symbols/qemu-symbols.ts';
import { type CallEncoding, type CallSite, callSite, callSiteBytes } from './call-site.ts';
import type { Target } from './target.ts';

const maxFrames = 64;
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
}

/**
 * The calls that led here, by frame pointers. Only return addresses with a call in front of them are believed, so that
 * a register which is no frame pointer ends the list instead of filling it with nonsense.
 */
export async function callStack(target: Target, symbols: QemuSymbols): Promise<Frame[]> {
  const layouts = await layoutsOf(target);
  let best: Frame[] = [];
  for (const layout of layouts) {
    const frames = await follow(target, layout);
    if (frames.length > best.length) best = frames;
  }
  const first = layouts[0];
  const leaf = first ? await linkFrame(target, first, symbols) : undefined;
  return leaf && leaf.returnsTo !== best[0]?.returnsTo ? [leaf, ...best] : best;
}

/** Where this function returns to, when that is certain: its own call, known by name, led here. */
export async function sureReturn(target: Target, symbols: QemuSymbols): Promise<bigint | undefined> {
  const start = symbols.placeAt(await target.pc())?.address;
  if (start === undefined) return undefined;
  const [innermost] = await callStack(target, symbols);
  return innermost?.target === start ? innermost.returnsTo : undefined;
}

async function follow(target: Target, layout: Layout): Promise<Frame[]> {
  const frames: Frame[] = [];
  let frame = layout.frame;
  while (frames.length < maxFrames && frame !== 0n) {
    const [previous, returnsTo] = await readFrame(target, layout, frame);
    if (previous === undefined || returnsTo === undefined) break;
    const site = await siteBefore(target, layout, returnsTo);
    if (!site) break;
    frames.push({ from: site.from, returnsTo, target: site.target });
    if (previous <= frame || previous - frame > maxFrameBytes) break;
    frame = previous;
  }
  return frames;
}

async function readFrame(target: Target, layout: Layout, frame: bigint): Promise<(bigint | undefined)[]> {
  const { wordBytes, stackBase, codeBase, previousAt, returnAt, addressBits } = layout;
  const read = (offset: bigint) => {
    const address = stackBase + BigInt.asUintN(addressBits, frame + offset);
    return target.number(BigInt.asUintN(64, address), wordBytes).catch(() => undefined);
  };
  const returnsTo = await read(returnAt);
  return [await read(previousAt), returnsTo === undefined ? undefined : codeBase + withoutMode(layout, returnsTo)];
}

/** While the link register has not been saved, or in a function that never saves it. */
async function linkFrame(target: Target, layout: Layout, symbols: QemuSymbols): Promise<Frame | undefined> {
  const { link } = target.names;
  const start = symbols.placeAt(await target.pc())?.address;
  if (!link || start === undefined) return undefined;
  const returnsTo = withoutMode(layout, await target.register(link));
  if (symbols.placeAt(returnsTo)?.address === start) return undefined;
  const site = await siteBefore(target, layout, returnsTo);
  // An old link register names a call of something else.
  return site?.target === start ? { from: site.from, returnsTo, target: site.target } : undefined;
}

async function siteBefore(target: Target, layout: Layout, returnsTo: bigint): Promise<CallSite | undefined> {
  if (returnsTo < callSiteBytes) return undefined;
  const before = await target.memory(returnsTo - BigInt(callSiteBytes), callSiteBytes).catch(() => undefined);
  return before && callSite(layout.encoding, returnsTo, before);
}

function withoutMode({ encoding }: Layout, address: bigint): bigint {
  return encoding === 'thumb' ? address & ~1n : address;
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
  if (pc && target.gdb.description.architecture.startsWith('riscv')) {
    const wordBytes = pc.bits / 8;
    const word = BigInt(wordBytes);
    return [
      {
        ...plain,
        encoding: 'riscv',
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
  if (!target.names.find('r11') || !target.names.find('cpsr')) return [];
  const thumb = ((await target.value('cpsr')) & 0x20n) !== 0n;
  const [r7, r11] = [await target.value('r7'), await target.value('r11')];
  const arm = { ...plain, wordBytes: 4, addressBits: 32, encoding: thumb ? 'thumb' : 'arm' } as const;
  return [
    { ...arm, frame: r11, previousAt: -4n, returnAt: 0n },
    { ...arm, frame: r11, previousAt: 0n, returnAt: 4n },
    { ...arm, frame: r7, previousAt: 0n, returnAt: 4n },
  ];
}
