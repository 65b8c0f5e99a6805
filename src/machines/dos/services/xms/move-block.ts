import type { XmsDriver } from './xms-driver.ts';
import { xmsErrors } from './xms-errors.ts';

interface Place {
  /** Into extended memory, or (`conventional`) a linear address below 110000h. */
  readonly at: number;
  readonly conventional: boolean;
}

/** Function 0Bh: length, source handle and offset, target handle and offset. Gives an error, 0 for none. */
export function moveBlock(driver: XmsDriver, packet: number): number {
  const { memory, extended } = driver.wires;
  const length = memory.read32(packet);
  if ((length & 1) !== 0) return xmsErrors.badLength;
  const from = placeOf(driver, memory.read16(packet + 4), memory.read32(packet + 6), length);
  if (typeof from === 'string') return from === 'handle' ? xmsErrors.badSource : xmsErrors.badSourceOffset;
  const to = placeOf(driver, memory.read16(packet + 10), memory.read32(packet + 12), length);
  if (typeof to === 'string') return to === 'handle' ? xmsErrors.badTarget : xmsErrors.badTargetOffset;
  const bytes = from.conventional ? memory.bytes(from.at, length) : extended.slice(from.at, from.at + length);
  if (to.conventional) memory.write(to.at, bytes);
  else extended.set(bytes, to.at);
  return 0;
}

/** Handle 0 is memory that the processor reaches, its offset a far pointer. */
function placeOf(driver: XmsDriver, handle: number, offset: number, length: number): Place | 'handle' | 'offset' {
  if (handle === 0) {
    const at = ((offset >>> 16) << 4) + (offset & 0xffff);
    return at + length > 0x10fff0 ? 'offset' : { at, conventional: true };
  }
  const block = driver.memory.find(handle);
  if (block === undefined) return 'handle';
  if (offset + length > block.kilobytes * 1024) return 'offset';
  return { at: block.start * 1024 + offset, conventional: false };
}
