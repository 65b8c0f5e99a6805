import type { MachineLine } from '../channel.ts';

/** Machines that this person has just given back: nobody need tell them. */
const givenBack = new Set<string>();

export function giveBack(handle: string): void {
  givenBack.add(handle);
}

/** What the person had, and has not any more: the machine they looked at, or control of one. */
export function lossesBetween(
  before: readonly MachineLine[],
  after: readonly MachineLine[],
  watched: string | undefined,
): string[] {
  return before.flatMap(({ handle, isMine }) => {
    const now = after.find((each) => each.handle === handle);
    if (!now) return isMine || handle === watched ? [`${handle} has ended.`] : [];
    if (now.isMine) return [];
    const isWanted = givenBack.delete(handle);
    if (!isMine || isWanted) return [];
    return [
      now.holder === undefined
        ? `You no longer have control of ${handle}: agents can use it again. “Take control” brings it back.`
        : `${now.holder} has taken over ${handle}; you no longer have control of it.`,
    ];
  });
}
