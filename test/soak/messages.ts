/** What the processes of the soak test tell each other. */
export type MachineOrder = { readonly type: 'say'; readonly from: number } | { readonly type: 'report' };

export type MachineReport =
  | { readonly type: 'listening'; readonly port: number }
  | { readonly type: 'heard'; readonly heard: readonly HeardOnce[] };

/** What the machine heard during one connection: offsets in the stream of what was typed. */
export interface HeardOnce {
  from: number | undefined;
  to: number;
  error: string | undefined;
  gracefulEnd: boolean;
}

export type ClientsReport =
  | { readonly type: 'ready' }
  | { readonly type: 'done'; readonly clients: readonly ClientResult[] };

export interface ClientResult {
  readonly offset: number;
  readonly verifiedBytes: number;
  readonly gapBytes: number;
  readonly gaps: number;
  readonly error: string | undefined;
}
