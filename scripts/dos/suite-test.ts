/** One test of the suite; `run` gives an empty text when it passes, else why it does not. */
export interface DosTest {
  readonly area: string;
  readonly name: string;
  run(): string | Promise<string>;
}

export interface Judged {
  readonly test: DosTest;
  readonly why: string;
}
