import { useState } from 'preact/hooks';
import type { PageRead } from '../../channel.ts';
import { useReads } from './moment.ts';
import { listOf, plain, textOf } from './outcome.ts';

/** Of a part that has very many, such as the characters of a set. */
const mostPictures = 64;

/** The chips of the machine: their registers decoded, and what has a picture as a picture. */
export function ChipsPane() {
  const [chosen, choose] = useState<string>();
  const [part, choosePart] = useState<string>();
  const [all] = useReads('chips list', [{ tool: 'chip_read', arguments: {} }]);
  const chips = listOf(all, 'chips');
  const chip = chips.find(({ name }) => name === chosen) ?? chips[0];
  const parts = listOf({ type: 'answer', text: '', data: chip ?? {} }, 'parts');
  const shown = parts.find(({ name }) => name === part) ?? parts[0];
  return (
    <>
      <nav class="tabs" aria-label="Chips">
        {chips.map(({ name }) => (
          <button
            type="button"
            class="small"
            key={plain(name)}
            aria-pressed={name === chip?.name}
            onClick={() => {
              choose(plain(name));
              choosePart(undefined);
            }}
          >
            {plain(name)}
          </button>
        ))}
      </nav>
      <nav class="tabs" aria-label="Parts">
        {parts.map(({ name }) => (
          <button
            type="button"
            class="small"
            key={plain(name)}
            aria-pressed={name === shown?.name}
            onClick={() => choosePart(plain(name))}
          >
            {plain(name)}
          </button>
        ))}
      </nav>
      {chip && shown && <ChipPart chip={plain(chip.name)} part={shown} />}
      {chips.length === 0 && <p class="quiet">{textOf(all) || '…'}</p>}
    </>
  );
}

function ChipPart({ chip, part }: { readonly chip: string; readonly part: Readonly<Record<string, unknown>> }) {
  const count = Math.min(mostPictures, Number(part.count) || 1);
  const name = plain(part.name);
  const reads: PageRead[] = Array.from({ length: count }, (_, index) => ({
    tool: 'chip_read',
    arguments: { chip, part: name, index, ...(part.hasPicture === true && { as: 'image' }) },
  }));
  const outcomes = useReads('chips part', reads);
  if (part.hasPicture !== true) return <pre class="mono">{outcomes.map(textOf).join('\n')}</pre>;
  return (
    <div class="pictures">
      {outcomes.map((outcome, index) => {
        const image = outcome?.type === 'answer' ? outcome.images?.[0] : undefined;
        return (
          <figure key={index}>
            {image && <img alt={`${name} ${index}`} src={`data:image/png;base64,${image.base64}`} />}
            <figcaption title={textOf(outcome)}>{index}</figcaption>
          </figure>
        );
      })}
    </div>
  );
}
