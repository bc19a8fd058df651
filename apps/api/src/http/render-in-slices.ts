import { setImmediate as letOthersRun } from 'node:timers/promises';

/** Renders entries as a JSON fragment; other calls go on after each slice of them. */
export async function renderInSlices<Entry>(
  entries: readonly Entry[],
  atOnce: number,
  render: (entry: Entry) => string,
): Promise<string> {
  const slices: string[] = [];
  for (let from = 0; from < entries.length; from += atOnce) {
    if (from > 0) await letOthersRun();
    slices.push(
      entries
        .slice(from, from + atOnce)
        .map(render)
        .join(','),
    );
  }
  return slices.join(',');
}
