/** Something that is held: a key, a stick, the buttons of a mouse. */
export interface Hold {
  readonly what: string;
  /** Of what is either down or up. */
  readonly isDown?: boolean;
}

/**
 * Of a future that will not come: the events after which everything is held as it is at the future's end, where hands are now.
 * A key that was down at a moment of the past, and is not any more, would never come up otherwise.
 */
export function heldAtPresent<Event>(future: readonly Event[], holdOf: (event: Event) => Hold | undefined): Event[] {
  const wasDown = new Map<string, boolean | undefined>();
  const last = new Map<string, { readonly event: Event; readonly isDown: boolean | undefined }>();
  for (const event of future) {
    const hold = holdOf(event);
    if (!hold) continue;
    const { what, isDown } = hold;
    // The first change says how it was before.
    if (!wasDown.has(what)) wasDown.set(what, isDown === undefined ? undefined : !isDown);
    last.set(what, { event, isDown });
  }
  return [...last]
    .filter(([what, { isDown }]) => isDown === undefined || wasDown.get(what) !== isDown)
    .map(([, { event }]) => event);
}
