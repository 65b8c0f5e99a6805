/** Something that can be connected to and then carries bytes both ways. */
export interface ByteLink {
  /** In words, for people: `tcp 127.0.0.1:4555`. */
  readonly target: string;
  /** One attempt. Rejects with a message a person understands; never retries, never outlives `signal`. */
  open(signal: AbortSignal): Promise<ByteConnection>;
  /** Calls back once when the other side, which was away, seems to be there again; where that can be seen without trying. */
  onReturn?(returned: () => void): () => void;
}

/** An established connection. It delivers nothing before `start`. */
export interface ByteConnection {
  start(events: ConnectionEvents): void;
  /** Takes all of `bytes`; look at `pendingBytes` to see what the other side has not taken yet. */
  write(bytes: Uint8Array): void;
  /** Bytes written that still wait in this process. */
  readonly pendingBytes: number;
  /** Stops and restarts the flow of `data`. */
  pause(): void;
  resume(): void;
  /** Holds the line in its break condition; rejects where the wire has no such thing. */
  sendBreak(durationMs: number): Promise<void>;
  /** Lets pending bytes leave, then closes; at most `drainMs` long. */
  end(drainMs: number): Promise<void>;
  /** Closes at once. */
  destroy(): void;
}

export interface ConnectionEvents {
  /** The bytes are only valid during the call: copy what you keep. */
  data(bytes: Uint8Array): void;
  /** `pendingBytes` fell to zero after having been above it. */
  drain(): void;
  /** Called exactly once. `final`: the other side is gone for good (a command that ended), do not reconnect. */
  close(reason: { readonly text: string; readonly final: boolean }): void;
}
