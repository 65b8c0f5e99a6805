import type { Glimpse } from '../api/watch.ts';
import type { Machine } from '../machine/machine.ts';
import { shrunk } from '../tools/picture/shrunk.ts';

const widest = 192;
const shownLines = 12;

/** A machine in small: its picture, or the last lines of its console. */
export async function glimpse({ screen, console }: Machine): Promise<Glimpse | undefined> {
  const picture = await screen?.picture().catch(() => undefined);
  if (picture) {
    const { rgb, ...size } = shrunk(picture, widest);
    return { picture: { ...size, palette: new Uint8Array(), pixels: rgb } };
  }
  const [port] = console?.ports ?? [];
  if (!port) return undefined;
  const { styled } = await port.screen.readStyled(Number.MAX_SAFE_INTEGER);
  const lines = styled.map((pieces) =>
    pieces
      .map(({ text }) => text)
      .join('')
      .trimEnd(),
  );
  const last = lines.findLastIndex((line) => line !== '') + 1;
  return { lines: lines.slice(Math.max(0, last - shownLines), last) };
}
