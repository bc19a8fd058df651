const FACTS = {
  now: 0,
  firstRetryMs: 1,
  retryForMs: 10,
  internalRetryForMs: 10,
  updateForMs: 10_000,
};
const planned = { product: 'transactions', window: null };
const accounts = { product: 'accounts', window: null };
const failed = (cause, mayRepeat) => ({
  end: { kind: 'failed', cause, mayRepeat, notBeforeMs: 0, ourDatabase: false, isOurQuota: false },
});

/** Forms of events that lead to different phases. Others have no content. */
const PRODUCT_FORMS = {
  accountsTried: [{}],
  begun: [{ attempt: 'attempt' }, { attempt: null }],
  stored: [{}],
  stale: [{}],
  fetchFailed: [failed('institution_down', true), failed('no_permission', false)],
  pauseOver: [{}],
  expedited: [{}],
  requestedAgain: [{ planned }],
};
const RUN_FORMS = {
  begun: [{ product: 'accounts', attempt: 'attempt' }],
  updated: [{}],
  updatePending: [{ askAgainAfterMs: 1 }, { askAgainAfterMs: 20_000 }],
  updateFailed: [failed('institution_down', false), failed('consent_expired', false)],
  updatePauseOver: [{}],
  stored: [{ product: 'accounts' }],
  stale: [{ product: 'accounts' }],
  fetchFailed: [
    { product: 'accounts', ...failed('no_permission', false) },
    { product: 'accounts', ...failed('consent_expired', false) },
  ],
  canceled: [{}],
};

/**
 * A product of a refresh as a Mermaid diagram.
 * @param table domain/refresh/product-transitions.ts
 */
export function productDiagram({ decideProduct, PRODUCT_PHASES }) {
  const next = (phase, event) =>
    [true, false].map(
      (accountsTried) => decideProduct(phase, event, { ...FACTS, accountsTried }).phase,
    );
  const edges = explore([{ name: 'settled' }], PRODUCT_FORMS, { next, nameOf: ({ name }) => name });
  return drawn(edges, PRODUCT_PHASES, ['settled']);
}

/**
 * A run of a refresh as a Mermaid diagram. `over` is any run whose products are all settled.
 * @param table domain/refresh/run-transitions.ts
 */
export function runDiagram({ decide, startRun, isOver, RUN_PHASES }) {
  const nameOf = (run) => (run.name !== 'lost' && isOver(run) ? 'over' : run.name);
  const starts = [true, false].map(
    (updatesFirst) => startRun([accounts], { updatesFirst }, FACTS).run,
  );
  const next = (run, event) => [decide(run, event, FACTS).run];
  const edges = explore(starts, RUN_FORMS, { next, nameOf });
  return drawn(edges, [...RUN_PHASES, 'over'], ['updating', 'fetching'], ['lost', 'over']);
}

/** The events that lead from one phase to another, by both. */
function explore(starts, forms, { next, nameOf }) {
  const edges = new Map();
  const known = new Set();
  const open = [...starts];
  for (let phase = open.pop(); phase !== undefined; phase = open.pop()) {
    const key = JSON.stringify(phase);
    if (known.has(key)) continue;
    known.add(key);
    for (const [name, contents] of Object.entries(forms))
      for (const content of contents)
        for (const after of next(phase, { name, ...content })) {
          const edge = `${nameOf(phase)} --> ${nameOf(after)}`;
          if (nameOf(after) !== nameOf(phase))
            edges.set(edge, (edges.get(edge) ?? new Set()).add(name));
          // Further attempts and calls differ in their number alone.
          if ((after.number ?? after.calls ?? 0) <= 2) open.push(after);
        }
  }
  return edges;
}

function drawn(edges, phases, starts, ends = []) {
  return [
    'stateDiagram-v2',
    ...starts.map((name) => `  [*] --> ${name}`),
    ...phases.flatMap((from) =>
      phases.flatMap((to) => {
        const edge = `${from} --> ${to}`;
        return edges.has(edge) ? [`  ${edge}: ${[...edges.get(edge)].join(', ')}`] : [];
      }),
    ),
    ...ends.map((name) => `  ${name} --> [*]`),
  ].join('\n');
}
