/** The values that labels may have. No label holds an id of a customer's data, an address or free text. `app` is the operator's own name for a tenant. */
export interface LabelRow {
  /** Its values, or a description of them. */
  values: string;
  /** The most values one process shows. Where code does not bound them, `bounded-label.ts` does. */
  atMost: number;
}

/** Every label of every metric. */
export const LABELS = {
  activity: { values: 'activities of Temporal, by name', atMost: 80 },
  adapter: { values: 'adapters of sources', atMost: 10 },
  app: { values: 'apps nearest to a bound; after 100 of them `other`', atMost: 101 },
  attempt: { values: '`first`, `later`', atMost: 2 },
  bound: { values: 'bounds of an app, as `apps show` lists them', atMost: 9 },
  build: { values: 'twelve digits of a hash of the compiled code', atMost: 1 },
  environment: { values: '`sandbox`, `live`', atMost: 2 },
  field: {
    values: 'fields that adapters read, as code names them; after 99 of them `other`',
    atMost: 100,
  },
  format: { values: '`native`, `plaid`', atMost: 2 },
  institution: {
    values: 'institutions of the catalog, only where fetches failed; after 500 of them `other`',
    atMost: 501,
  },
  key_set: { values: '`native`, `plaid-sandbox`, `plaid-live`', atMost: 3 },
  kind: { values: 'kinds of open work, or of garbage collection', atMost: 10 },
  le: { values: 'bounds of a histogram', atMost: 16 },
  major: { values: 'of the version of Node', atMost: 1 },
  method: { values: 'HTTP methods, or `other`', atMost: 8 },
  minor: { values: 'of the version of Node', atMost: 1 },
  mode: { values: '`link`, `relink`', atMost: 2 },
  operation: { values: 'methods of the contract of providers', atMost: 20 },
  outcome: { values: 'listed with each metric; causes of failures, for example', atMost: 25 },
  part: { values: 'parts of readiness', atMost: 12 },
  patch: { values: 'of the version of Node', atMost: 1 },
  pool: { values: '`main`, `hot`', atMost: 2 },
  product: { values: 'products of a link', atMost: 6 },
  provider: { values: 'the sandbox and the operator’s configurations', atMost: 50 },
  quota: { values: 'quotas of a source', atMost: 10 },
  reading: { values: 'statements whose results are gauges', atMost: 5 },
  reason: { values: 'reasons that a value could not be read', atMost: 7 },
  resource: {
    values: 'resources that adapters read: `account`, `transaction`, …; after 19 of them `other`',
    atMost: 20,
  },
  route: { values: 'routes of the API as patterns, or `unknown`', atMost: 150 },
  scope: { values: '`value`, `row`, `account`', atMost: 3 },
  space: { values: 'spaces of the heap of V8', atMost: 12 },
  state: { values: 'listed with each metric', atMost: 4 },
  status: {
    values: 'HTTP status codes of the API, 499 for a caller that disconnected',
    atMost: 30,
  },
  task: { values: 'tasks of the sweeper', atMost: 40 },
  type: { values: 'kinds of handles and requests of Node', atMost: 20 },
  workflow: { values: 'types of workflows', atMost: 12 },
  version: { values: 'of this build, or of Node', atMost: 1 },
} as const satisfies Record<string, LabelRow>;

export type LabelName = keyof typeof LABELS;
