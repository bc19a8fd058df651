/** The names in a query of Prometheus. */
export interface NamedByQuery {
  /** Metrics, with the labels their selectors name. */
  selectors: { metric: string; labels: string[]; jobs: string[] }[];
  /** Labels in `by (…)`. */
  grouping: string[];
}

const WORDS = new Set(['and', 'or', 'unless', 'by', 'without', 'on', 'ignoring', 'bool', 'offset']);

/**
 * Reads the queries of alerts and dashboards: names outside of strings that are neither a function
 * nor a keyword of the language.
 */
export function readQuery(query: string): NamedByQuery {
  const grouping: string[] = [];
  const selectors: NamedByQuery['selectors'] = [];
  const rest = query
    .replaceAll(/\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g, (_, list: string) => {
      grouping.push(...list.split(',').map((label) => label.trim()));
      return ' ';
    })
    .replaceAll(/([a-zA-Z_:][\w:]*)\{([^}]*)\}/g, (_, metric: string, matchers: string) => {
      const found = [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"([^"]*)"/g)];
      const labels = found.map(([, label = '']) => label);
      const jobs = found.flatMap(([, label, value = '']) => (label === 'job' ? [value] : []));
      selectors.push({ metric, labels, jobs });
      return ' ';
    })
    .replaceAll(/\[[^\]]*\]/g, ' ');
  for (const [, metric = ''] of rest.matchAll(/(?<![\w.])([a-zA-Z_:][\w:]*)(?!\s*\(|[\w:])/g))
    if (!WORDS.has(metric)) selectors.push({ metric, labels: [], jobs: [] });
  return { selectors, grouping };
}
