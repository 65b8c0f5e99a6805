/** Through no blob: those are kept by another process of the browser. */
export async function inflate(deflated: Uint8Array): Promise<Uint8Array> {
  const stream = new DecompressionStream('deflate-raw');
  const writer = stream.writable.getWriter();
  const [inflated] = await Promise.all([
    new Response(stream.readable).arrayBuffer(),
    writer.write(deflated.slice()).then(() => writer.close()),
  ]);
  return new Uint8Array(inflated);
}
