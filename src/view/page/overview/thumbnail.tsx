import { useLayoutEffect, useRef } from 'preact/hooks';
import type { PageGlimpse } from '../../channel.ts';
import { PicturePainter } from '../picture.ts';

/** A machine in small: its picture, or the last lines of its console. */
export function Thumbnail({ glimpse, label }: { readonly glimpse: PageGlimpse | undefined; readonly label: string }) {
  if (glimpse?.picture) return <SmallPicture picture={glimpse.picture} label={label} />;
  return <pre class="thumbnail lines">{(glimpse?.lines ?? []).join('\n')}</pre>;
}

type SmallPictureProps = { readonly picture: NonNullable<PageGlimpse['picture']>; readonly label: string };

function SmallPicture({ picture, label }: SmallPictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const painter = useRef<PicturePainter>(undefined);
  useLayoutEffect(() => {
    if (!canvas.current) return;
    painter.current ??= new PicturePainter(canvas.current);
    const { width, height, palette, pixels } = picture;
    painter.current.paint({ width, height, palette: bytes(palette), pixels: bytes(pixels) }, { row: 0, rows: height });
  }, [picture]);
  return <canvas class="thumbnail" ref={canvas} role="img" aria-label={label} />;
}

function bytes(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
