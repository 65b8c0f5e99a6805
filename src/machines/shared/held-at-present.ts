/** Something that is held: a key, a stick, the buttons of a mouse. */
export interface Hold {
  readonly what: string;
  /** Of what is either down or up. */
  readonly isDown?: boolean;
}

/**
 * Of a future that will not come: the events after which everything is held as it is at the future's end, where hands are now.
 * A key that was down at a moment of the past, and is not any more, would never come up otherwise. `isDown`: whether the machine
 * has the key of an event down as it stands now.
 */
export function heldAtPresent<Event>(
  future: readonly Event[],
  holdOf: (event: Event) => Hold | undefined,
  isDown: (event: Event) => boolean,
): Event[] {
  const last = new Map<string, { readonly event: Event; readonly hold: Hold }>();
  for (const event of future) {
    const hold = holdOf(event);
    if (hold) last.set(hold.what, { event, hold });
  }
  return [...last.values()]
    .filter(({ event, hold }) => hold.isDown === undefined || hold.isDown !== isDown(event))
    .map(({ event }) => event);
}
