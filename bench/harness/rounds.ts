/** Measures every subject once a round, A B C A B C …, so that what disturbs the machine disturbs all of them. */
export async function interleaved<Name extends string, Sample>(
  rounds: number,
  subjects: Readonly<Record<Name, () => Promise<Sample>>>,
): Promise<Record<Name, Sample[]>> {
  const names = Object.keys(subjects) as Name[];
  const samples = {} as Record<Name, Sample[]>;
  for (const name of names) samples[name] = [];
  for (let round = 0; round < rounds; round++) {
    for (const name of names) samples[name].push(await subjects[name]());
  }
  return samples;
}
