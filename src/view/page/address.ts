import { effect } from '@preact/signals';
import { choose, place } from './store.ts';

/** The machine that was chosen stands in the address: a reload shows it again, and “back” leads to where one was. */
export function followAddress(): void {
  const chosen = fromAddress();
  if (chosen !== undefined) choose(chosen);
  addEventListener('popstate', () => choose(fromAddress()));
}

/** Once whatever else was in the address has been read and taken out of it. */
export function keepAddress(): void {
  let isFirst = true;
  effect(() => {
    const handle = place.value?.handle;
    if (handle !== fromAddress()) {
      const address = handle === undefined ? location.pathname : `#machine=${encodeURIComponent(handle)}`;
      if (isFirst || place.value === undefined) history.replaceState(null, '', address);
      else history.pushState(null, '', address);
    }
    isFirst = false;
  });
}

function fromAddress(): string | undefined {
  return new URLSearchParams(location.hash.slice(1)).get('machine') ?? undefined;
}
