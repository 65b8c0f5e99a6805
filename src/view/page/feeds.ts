import type { PagePicture, PageSound, PageTerminal } from '../channel.ts';

/** Who takes what comes all the time and goes past the store; nobody while it is not shown. */
export const feeds: {
  picture?: ((picture: PagePicture, dirty: { readonly row: number; readonly rows: number }) => void) | undefined;
  terminal?: ((terminal: PageTerminal) => void) | undefined;
  sound?: ((sound: PageSound) => void) | undefined;
} = {};
