/** Of one connection, or of one stream that listens. */
export const maxSubscriptions = 1000;

export const listenMethod = 'subscriptions/listen';

/** Resources that clients wait for news of, counted: what nobody waits for need not be made, and what is waited for is in use. */
export class Interest {
  readonly #held = new Map<string, number>();

  /** Counts each address once more; the answer takes that back, once. */
  hold(uris: readonly string[]): () => void {
    for (const uri of uris) this.#held.set(uri, (this.#held.get(uri) ?? 0) + 1);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      for (const uri of uris) this.#release(uri);
    };
  }

  has(uri: string): boolean {
    return this.#held.has(uri);
  }

  some(predicate: (uri: string) => boolean): boolean {
    for (const uri of this.#held.keys()) if (predicate(uri)) return true;
    return false;
  }

  #release(uri: string): void {
    const left = (this.#held.get(uri) ?? 0) - 1;
    if (left > 0) this.#held.set(uri, left);
    else this.#held.delete(uri);
  }
}

/** The addresses that a `subscriptions/listen` request of the 2026 protocol asks for; none for any other message. */
export function listenedUris(message: unknown): readonly string[] {
  const { method, params } = asRecord(message);
  if (method !== listenMethod) return [];
  const { resourceSubscriptions } = asRecord(asRecord(params).notifications);
  if (!Array.isArray(resourceSubscriptions)) return [];
  return resourceSubscriptions.filter((uri): uri is string => typeof uri === 'string');
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
