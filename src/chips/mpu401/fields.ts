export const fields = {
  /** 1 where bytes for the data port go out as they are. */
  uart: 0,
  /** 1 while an answer waits to be read. */
  waiting: 1,
  answer: 2,
} as const;

export const stateWords = 3;
