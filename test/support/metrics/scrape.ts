/** The metrics of a process at /metrics. */
export interface Scrape {
  /** Type of each metric by name. */
  types: Map<string, string>;
  /** Names of the labels of each metric, of all its samples. */
  labels: Map<string, Set<string>>;
  /** Every series with its value, as `name{label="value"}`. */
  series: Map<string, number>;
}

/** Reads the text format of Prometheus. Samples of a histogram belong to it. */
export function parseScrape(text: string): Scrape {
  const types = new Map<string, string>();
  const labels = new Map<string, Set<string>>();
  const series = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [, declared, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    if (declared !== undefined && type !== undefined) {
      types.set(declared, type);
      labels.set(declared, new Set());
    }
    const [, sample = '', name = '', set = '', value = ''] =
      /^((\w+)(?:\{(.*)\})?) (\S+)$/.exec(line) ?? [];
    if (line.startsWith('#') || name === '') continue;
    series.set(sample, Number(value));
    const metric = types.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '');
    for (const [, label = ''] of set.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g))
      labels.get(metric)?.add(label);
  }
  return { types, labels, series };
}

export async function scrape(url: string): Promise<Scrape> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  return parseScrape(await response.text());
}
