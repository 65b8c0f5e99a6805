/** The screen or the terminal alone, with the keyboard in it. */
export async function goFullScreen(): Promise<void> {
  await document.getElementById('stage')?.requestFullscreen();
  (document.getElementById('screen') ?? document.getElementById('terminal'))?.focus();
  // Where the browser has it: keys that it would keep reach the page while it is full screen.
  const keyboard: unknown = Reflect.get(navigator, 'keyboard');
  if (keyboard instanceof Object && 'lock' in keyboard && keyboard.lock instanceof Function) await keyboard.lock();
}

/** Screen and terminal take every other key, Tab included. */
export function leaveOnChord(event: KeyboardEvent): void {
  if (event.key !== 'Enter' || !event.ctrlKey || !event.shiftKey) return;
  event.preventDefault();
  document.getElementById('state')?.focus();
}
