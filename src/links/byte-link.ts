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
  /** Present where the wire is a serial line whose settings and control lines can be reached. */
  readonly serial?: SerialControl;
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
  /** What the line itself reports: a break, an error, a control line that changed. */
  notice?(text: string): void;
  /** Called exactly once. `final`: the other side is gone for good (a command that ended), do not reconnect. */
  close(reason: { readonly text: string; readonly final: boolean }): void;
}

export interface LineSettings {
  readonly baudRate: number;
  readonly dataBits: 5 | 6 | 7 | 8;
  readonly stopBits: 1 | 1.5 | 2;
  readonly parity: 'none' | 'even' | 'odd' | 'mark' | 'space';
  readonly flowControl: 'none' | 'rtscts' | 'xonxoff';
}

/** `ri` where it can be seen. */
export interface InputLines {
  readonly cts: boolean;
  readonly dsr: boolean;
  readonly dcd: boolean;
  readonly ri?: boolean;
}

/** A serial line's settings and the wires beside its data. All reject with a message a person understands. */
export interface SerialControl {
  /** As they are in force. */
  readonly settings: LineSettings;
  /** Changes settings while the line is open; answers with those then in force, also after a reconnect. */
  configure(wanted: Partial<LineSettings>): Promise<LineSettings>;
  /** Wires that we drive. */
  setLines(lines: { readonly dtr?: boolean; readonly rts?: boolean }): Promise<void>;
  /** Wires that the other side drives. */
  readLines(): Promise<InputLines>;
  /** Drops what waits in the device: what came in, what is to go out. */
  purge(what: 'input' | 'output' | 'both'): Promise<void>;
}
