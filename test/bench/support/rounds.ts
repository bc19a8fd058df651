/** Sorted copies are small: a bench has a few dozen values. */
export interface Spread {
  min: number;
  median: number;
  max: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
  return { min: at(0), median: at(0.5), max: at(1) };
}

export interface Sample {
  /** Pieces of work completed in a second. */
  perSecond: number;
  /**
   * Milliseconds of processor time, user and system, that the measured process spent on one piece;
   * null = unknown.
   */
  cpuMs: number | null;
}

export type Subject = (round: number) => Promise<Sample>;

/**
 * Measures subjects in turns, so that other load on the machine affects all of them: round 1 of
 * each, round 2 of each … The order is reversed with every round.
 */
export async function interleave<Subjects extends Partial<Record<string, Subject>>>(
  subjects: Subjects,
  rounds: number,
): Promise<{ [Name in keyof Subjects]: Sample[] }> {
  const turns = Object.entries(subjects).flatMap(([name, subject]) =>
    subject === undefined ? [] : [{ name, subject, samples: [] as Sample[] }],
  );
  for (let round = 0; round < rounds; round += 1) {
    const start = round % turns.length;
    for (const { subject, samples } of [...turns.slice(start), ...turns.slice(0, start)])
      samples.push(await subject(round));
  }
  return Object.fromEntries(turns.map(({ name, samples }) => [name, samples])) as {
    [Name in keyof Subjects]: Sample[];
  };
}

/** One share of the limit per round. */
export function ratiosTo(limit: readonly Sample[], samples: readonly Sample[]): number[] {
  return samples.map(({ perSecond }, round) => perSecond / (limit[round]?.perSecond ?? Number.NaN));
}
