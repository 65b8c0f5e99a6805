/**
 * Marks text as a machine's own words. The random tag keeps a machine from printing the end of the fence and going on
 * in somebody else's voice.
 */
export function fenced(text: string, label: string): string {
  if (text === '') return `[no output: ${label}]`;
  const tag = crypto.getRandomValues(new Uint32Array(1))[0]?.toString(36) ?? '';
  return `[output ${tag}: ${label}]\n${text}\n[/output ${tag}]`;
}
