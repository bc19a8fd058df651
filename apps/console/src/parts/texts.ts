/** Texts of the parts that all screens share. */
export const TEXTS = {
  copied: 'Copied',
  notCopied: 'Not copied: the browser refused. Select the text instead.',
  showAll: (length: number) => `Show all ${length.toLocaleString('en')} characters`,
  showLess: 'Show less',
  asTable: 'As table',
  asChart: 'As chart',
  older: 'Older',
  newest: 'Back to the newest',
  columns: 'Columns',
  filters: 'Filters',
  clear: 'Clear',
  timesIn: (zone: string) => `times in ${zone}`,
  rowsHere: (count: number) => `rows on this page: ${count}`,
  newRows: (count: number) => `${count} new`,
  sameCall: 'The same call',
} as const;
