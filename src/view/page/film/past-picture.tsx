import { past } from './film.ts';

/** A moment of the past in place of the screen, while somebody looks at it. */
export function PastPicture() {
  const { picture, time } = past.value ?? {};
  if (picture === undefined || time === undefined) return null;
  const shape = ({ naturalWidth, naturalHeight, style }: HTMLImageElement) =>
    style.setProperty('--ratio', String(naturalWidth / Math.max(1, naturalHeight)));
  return (
    <img
      id="past"
      class="past"
      alt={`The screen at ${time.toLocaleString()}`}
      src={picture}
      onLoad={(event) => shape(event.currentTarget)}
    />
  );
}
