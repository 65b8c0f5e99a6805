/** Letters and digits that occur nowhere else. */
export function randomWord(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(6))).toString('hex');
}
