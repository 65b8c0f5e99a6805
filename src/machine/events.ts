/** Something that happened to a machine on its own, or because somebody else did it. */
export interface MachineEvent {
  /** Rises by one for each event of the whole rack; the cursor of `events_read`. */
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly machine: string;
  /** `link_up`, `link_lost`, `breakpoint` …: one word that a program can filter on. */
  readonly type: string;
  readonly text: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** An event as a machine reports it; the rack adds number, time and handle. */
export type ReportedEvent = Pick<MachineEvent, 'type' | 'text' | 'data'>;
