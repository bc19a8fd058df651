const ENDS = ['sessionTimeOver', 'endedElsewhere'];
/** Events of every phase; drawn once. */
const EVERYWHERE = new Set([...ENDS, 'exited', 'tooManySteps', 'changeRefused']);
/** Drawn only where they are expected. */
const EXPECTED_FROM = { finished: 'finishing', exchanged: 'succeeded' };

const LOGIN = {
  linkId: 'mk_1',
  provider: 'fake',
  institutionId: 'bank',
  attemptKey: 'ses_1/1',
  mayRepeat: true,
};
const asked = { attemptsLeft: null, expiresInMs: null };
/** Forms of events that lead to different phases. Others have no content. */
const FORMS = {
  answered: [
    { kind: 'select_institution', institution_id: 'bank' },
    { kind: 'form', sealedAs: 'answer' },
    { kind: 'choice', option_ids: ['connect.extend_existing'] },
    { kind: 'redirect_start', redirectId: 'redirect' },
    { kind: 'redirect_return', redirectId: 'redirect' },
    { kind: 'redirect', cancel: true },
    { kind: 'consent', granted: [] },
    { kind: 'select_accounts', refs: [] },
    { kind: 'error', action: 'retry' },
    { kind: 'error', action: 'choose_another' },
  ].map((answer) => ({ answer })),
  loginStarted: [{ login: LOGIN }],
  loginRefused: [{ problem: 'connect_error.internal' }],
  bankAsked: [
    { step: 'form', ...asked },
    { step: 'wait', ...asked },
  ],
  bankRefused: [
    { step: 'form', ...asked },
    { step: 'form', ...asked, attemptsLeft: 0 },
  ],
  bankAway: [{ redirectId: 'redirect', expiresInMs: 1 }],
  bankLinked: [{ questions: [] }, { questions: ['consent', 'select_accounts'] }],
  callFailed: [{ cause: 'institution_down' }, { cause: 'user_denied' }],
  callLost: [
    { hasGrant: false, wasInterrupted: false },
    { hasGrant: true, wasInterrupted: false },
  ],
};
const ANY_BANK = { mode: 'link', presetInstitutionId: null, mayChooseAnother: true };
const ONE_BANK = { mode: 'link', presetInstitutionId: 'bank', mayChooseAnother: false };

/**
 * The table of a session as a Mermaid diagram: every phase that `decide` reaches from the first, and
 * the events that lead from one to another.
 * @param table domain/session/session-transitions.ts
 */
export function sessionDiagram({ decide, EVENTS, PHASES }) {
  /** Events by their edge. */
  const edges = new Map();
  for (const facts of [ANY_BANK, ONE_BANK]) explore(facts);
  for (const event of ENDS) note('succeeded', 'over', event);
  const drawn = PHASES.flatMap((from) =>
    PHASES.flatMap((to) => {
      const events = EVENTS.filter((event) => edges.get(`${from} ${to}`)?.has(event));
      return events.length === 0 ? [] : [`  ${from} --> ${to}: ${events.join(', ')}`];
    }),
  );
  return [
    'stateDiagram-v2',
    '  [*] --> unopened',
    ...drawn,
    '  state "every phase before success" as anyPhase',
    `  anyPhase --> over: ${[...ENDS, 'tooManySteps'].join(', ')}`,
    '  anyPhase --> choosingBank: exited',
    '  anyPhase --> showingProblem: changeRefused',
    '  over --> [*]',
  ].join('\n');

  function explore(facts) {
    const known = new Set();
    const open = [{ name: 'unopened' }];
    for (let phase = open.pop(); phase !== undefined; phase = open.pop()) {
      const key = JSON.stringify(phase);
      if (known.has(key)) continue;
      known.add(key);
      for (const event of eventsFor(phase, facts)) {
        const { phase: next } = decide(phase, event, facts);
        open.push(next);
        if (next.name !== phase.name) note(phase.name, next.name, event.name);
      }
    }
  }

  function eventsFor(phase, { mayChooseAnother }) {
    const isPossible = (name) =>
      !EVERYWHERE.has(name) &&
      (EXPECTED_FROM[name] ?? phase.name) === phase.name &&
      (name !== 'wentBack' || mayChooseAnother) &&
      (name !== 'bankAway' || phase.call?.kind === 'startRedirect');
    return EVENTS.filter(isPossible).flatMap((name) =>
      (FORMS[name] ?? [{}]).map((form) => ({ name, ...form })),
    );
  }

  function note(from, to, event) {
    const edge = `${from} ${to}`;
    edges.set(edge, (edges.get(edge) ?? new Set()).add(event));
  }
}
