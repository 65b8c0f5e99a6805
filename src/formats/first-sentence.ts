/** Of a description: neither colons nor semicolons end it, nor does the point of "e.g. this". */
export function firstSentence(text: string): string {
  return text.split(/(?<=[.?])\s+(?=[A-Z{"])/, 1)[0]?.replace(/\s+/g, ' ') ?? text;
}
