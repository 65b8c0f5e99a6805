import type { ScreenText, StyledScreen } from '../../machine/console.ts';

/** What the server's thread tells the thread of the screens. `screen` is the number of one of them. */
export type ToWorker =
  | { readonly type: 'ping' }
  | { readonly type: 'open'; readonly screen: number; readonly columns: number; readonly rows: number }
  | ({ readonly type: 'feed'; readonly screen: number } & Batch)
  | ({ readonly type: 'resize'; readonly screen: number; readonly request: number } & Size)
  | { readonly type: 'read'; readonly screen: number; readonly request: number }
  | { readonly type: 'readStyled'; readonly screen: number; readonly request: number; readonly scrolledFrom?: number }
  | { readonly type: 'close'; readonly screen: number };

/** What comes back: `alive` at once after a `ping`, `answer` when all that was fed before the request is drawn. */
export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'alive' }
  | { readonly type: 'drawn'; readonly screen: number; readonly bytes: number }
  | { readonly type: 'answer'; readonly request: number; readonly text: ScreenText | StyledScreen };

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Bytes that end at `offset` of the output. `reset`: they do not continue the batch before. */
export interface Batch {
  readonly bytes: Uint8Array;
  readonly offset: number;
  readonly reset: boolean;
}
