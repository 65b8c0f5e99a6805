/** Where a test program leaves its exit code: in a word of the state, with a bit that says that there is one. */
export function exitRegister(isThere: boolean, state: Int32Array, field: number): ((code: number) => void) | undefined {
  if (!isThere) return undefined;
  return (code) => {
    state[field] = 0x100 | code;
  };
}
