/** How far a stick has to be pushed. */
const threshold = 0.5;
/** Of the standard layout: the cross. */
const cross: readonly (readonly [button: number, direction: string])[] = [
  [12, 'up'],
  [13, 'down'],
  [14, 'left'],
  [15, 'right'],
];
const fireButtons = [0, 1, 2, 3, 5, 7];

/** Tells the directions of the first gamepad whenever they change, as long as one is there; the answer ends that. */
export function watchGamepad(changed: (directions: readonly string[]) => void): () => void {
  let last = '';
  let isWatching = false;
  let isOver = false;
  const look = () => {
    const pad = navigator.getGamepads().find((each) => each?.connected);
    const directions = pad ? directionsOf(pad) : [];
    if (directions.join() !== last) changed(directions);
    last = directions.join();
    isWatching = pad !== undefined && pad !== null && !isOver;
    if (isWatching) requestAnimationFrame(look);
  };
  const connected = () => {
    if (!isWatching) look();
  };
  addEventListener('gamepadconnected', connected);
  return () => {
    isOver = true;
    removeEventListener('gamepadconnected', connected);
  };
}

function directionsOf({ axes, buttons }: Gamepad): string[] {
  const [x = 0, y = 0] = axes;
  const isDown = (index: number) => buttons[index]?.pressed === true;
  const found = new Set(cross.filter(([button]) => isDown(button)).map(([, direction]) => direction));
  if (y < -threshold) found.add('up');
  if (y > threshold) found.add('down');
  if (x < -threshold) found.add('left');
  if (x > threshold) found.add('right');
  if (fireButtons.some(isDown)) found.add('fire');
  return [...found];
}
