import { past } from './film.ts';

/** A moment of the past in place of the screen, while somebody looks at it. */
export function PastPicture() {
  const { picture, time } = past.value ?? {};
  if (picture === undefined || time === undefined) return null;
  /** As large as the screen in whose place it stands. */
  const shape = ({ naturalWidth, naturalHeight, style, classList }: HTMLImageElement) => {
    const screen = document.querySelector('#screen');
    style.setProperty('--ratio', String(naturalWidth / Math.max(1, naturalHeight)));
    classList.toggle('fine', screen?.classList.contains('fine') === true);
  };
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
