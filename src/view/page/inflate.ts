export async function inflate(deflated: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([deflated.slice()]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
