/** As many as are looked through: machines that are made one after the other mostly begin alike. */
const mostKept = 4;

const kept: WeakRef<Uint8Array>[] = [];

/** Bytes that nobody changes: those of somebody who has the same already, or these. */
export function sameBytes(bytes: Uint8Array): Uint8Array {
  const found = kept.findIndex((each) => {
    const other = each.deref();
    return other !== undefined && Buffer.compare(other, bytes) === 0;
  });
  const [reference = new WeakRef(bytes)] = found < 0 ? [] : kept.splice(found, 1);
  kept.unshift(reference);
  kept.length = Math.min(kept.length, mostKept);
  return reference.deref() ?? bytes;
}
