import type { StoredMsg } from '@nats-io/jetstream';

/** What a store has there; undefined where that is not JSON, because whoever may write to the store may write anything. */
export function storedJson(stored: StoredMsg | null): unknown {
  try {
    return stored?.json();
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
