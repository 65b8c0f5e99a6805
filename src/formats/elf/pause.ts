/** Called now and then in long work: lets others have their turn when it is time. */
export type Pause = () => Promise<void>;

const sliceMs = 3;

/** Work that waits for its turn. One goes on in each turn of the event loop, so that many together hold up nobody. */
const waiting: (() => void)[] = [];

export function pauses(): Pause {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < sliceMs) return;
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(goOn);
    });
    began = performance.now();
  };
}

function goOn(): void {
  const next = waiting.shift();
  if (waiting.length > 0) setImmediate(goOn);
  next?.();
}
