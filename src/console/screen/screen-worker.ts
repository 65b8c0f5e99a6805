import { parentPort } from 'node:worker_threads';
import { HeadlessScreen } from './headless-screen.ts';
import type { FromWorker, ToWorker } from './screen-messages.ts';

interface Slot {
  readonly screen: HeadlessScreen;
  /** Settles when everything asked of this screen is done; what comes next waits for it. */
  busy: Promise<void>;
}

const slots = new Map<number, Slot>();

parentPort?.on('message', (message: ToWorker) => {
  if (message.type === 'ping') {
    post({ type: 'alive' });
    return;
  }
  if (message.type === 'open') {
    slots.set(message.screen, { screen: new HeadlessScreen(message.columns, message.rows), busy: Promise.resolve() });
    return;
  }
  const slot = slots.get(message.screen);
  if (!slot) return;
  slot.busy = slot.busy.then(() => perform(slot.screen, message));
});

post({ type: 'ready' });

async function perform(screen: HeadlessScreen, message: Exclude<ToWorker, { type: 'open' | 'ping' }>): Promise<void> {
  switch (message.type) {
    case 'feed':
      if (message.reset) await screen.reset();
      await screen.feed(message.bytes, message.offset);
      post({ type: 'drawn', screen: message.screen, bytes: message.bytes.length });
      return;
    case 'resize':
      screen.resize(message.columns, message.rows);
      post({ type: 'answer', request: message.request, text: screen.text() });
      return;
    case 'read':
      post({ type: 'answer', request: message.request, text: screen.text() });
      return;
    case 'readStyled':
      post({ type: 'answer', request: message.request, text: screen.styled(message.scrolledFrom) });
      return;
    case 'close':
      slots.delete(message.screen);
      screen.dispose();
  }
}

function post(message: FromWorker): void {
  parentPort?.postMessage(message);
}
