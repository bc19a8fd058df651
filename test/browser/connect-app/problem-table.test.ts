// cspell:ignore geklappt
import { readFileSync } from 'node:fs';
import { CONNECT_PROBLEMS, makeErrorStep } from '../../../domain/session/connect-problem.js';
import type { ConnectProblemId } from '../../../domain/session/connect-problem.js';
import type { Problem } from '../../../apps/connect/src/flow/flow-state.js';
import {
  CALL_PROBLEMS,
  problemNameOf,
  problemRowOf,
  remedyOf,
  STEP_PROBLEMS,
} from '../../../apps/connect/src/flow/problem-table.js';
import { problemOfFailure, problemOfStep } from '../../../apps/connect/src/flow/problems.js';
import { arrivalTexts } from '../../../apps/connect/src/texts/arrival.js';
import { LOCALES, type Locale } from '../../../apps/connect/src/texts/locales.js';
import { loadDeferredTexts, loadTexts } from '../../../apps/connect/src/texts/load-texts.js';
import type { Texts } from '../../../apps/connect/src/texts/texts.js';
import type { ErrorAction, StepOf } from '../../../packages/connect-protocol/src/step.js';
import { makeStep } from './support/views.js';

const NAMES = { app: 'Pocket Ledger', bank: 'Credentials Bank' };
const AT = new Date('2026-03-02T10:00:00Z');

/** Every error step of the service: each cause, in a session that may choose another bank or not, at a bank with a website or without. */
const STEPS = (Object.keys(CONNECT_PROBLEMS) as ConnectProblemId[]).flatMap((id) =>
  [true, false].flatMap((mayChooseAnother) =>
    ['https://credentials-bank.example', null].map(
      (institutionUrl) =>
        makeStep(1, makeErrorStep(id, { mayChooseAnother, institutionUrl })) as StepOf<'error'>,
    ),
  ),
);

/** Failed calls of the contract's table that end in a screen of a problem; the others have screens of their own. */
const CALLS = [
  ...new Set(
    [
      ...(readFileSync(new URL('../../../docs/contract/connect.md', import.meta.url), 'utf8')
        .split('\n## 6. ')[1]
        ?.split('Only as error step')[0]
        ?.matchAll(/connect_error\.\w+/g) ?? []),
    ].map(([id]) => id),
  ),
  'connect_error.internal',
  'connect_error.unsupported_step',
  'connect_error.address_needed',
].filter((id) => !/\.(stale_step|step_in_progress|session_moved|invalid_input)$/.test(id));

interface Row {
  problem: string;
  locale: Locale;
  cause: string;
  deed: string | null;
  remedy: ErrorAction;
  others: readonly ErrorAction[];
}

async function textsIn(locale: Locale): Promise<Texts> {
  const texts = await loadTexts([locale]);
  await loadDeferredTexts();
  texts.add(arrivalTexts[locale]);
  return texts;
}

async function table(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const locale of LOCALES) {
    const texts = await textsIn(locale);
    const problems: Problem[] = [
      ...STEPS.map((step) => problemOfStep(step, texts, NAMES, AT)),
      ...CALLS.map((id) => problemOfFailure(id, null, texts, NAMES, AT)),
    ];
    for (const { error, name, text, actions } of problems)
      rows.push({ problem: error.error_id, locale, ...text, ...remedyOf(name, actions) });
  }
  return rows;
}

/** The table as a reader compares it: one line for each sentence and remedy. */
const print = (rows: readonly Row[]): string =>
  [
    ...new Set(
      rows.map(
        ({ problem, locale, cause, deed, remedy, others }) =>
          `${problem.replace('connect_error.', '').padEnd(26)} ${locale}  ${cause} | ${deed ?? '–'} | ${[remedy, ...others].join(', ')}`,
      ),
    ),
  ]
    .sort()
    .join('\n');

/** Rows that break a rule, with the whole table beside them. */
async function rowsThat(breakRule: (row: Row) => boolean): Promise<string> {
  const rows = await table();
  const broken = rows.filter(breakRule);
  return broken.length === 0 ? '' : `${print(broken)}\n\nThe whole table:\n${print(rows)}`;
}

const DEEDS_AT_THE_BANK = ['account_locked', 'user_action_required', 'incomplete'];

describe('The problems of Connect', () => {
  it('have a row for each error that the service sends, and none for others', () => {
    const sent = [...Object.keys(CONNECT_PROBLEMS), ...CALLS].map(problemNameOf);
    expect(sent).not.toContain(null);
    expect([...new Set(sent)].sort()).toEqual(
      [...Object.keys(CALL_PROBLEMS), ...Object.keys(STEP_PROBLEMS)].sort(),
    );
  });

  it('have a cause in one line in each language, with its names and without a full stop', async () => {
    expect(
      await rowsThat(({ cause }) => cause === '' || cause.length > 84 || /[{}.!。]/.test(cause)),
    ).toBe('');
  });

  it('differ from each other in each language, so that no cause has the sentence of another', async () => {
    const rows = await table();
    const causes = new Map<string, Set<string>>();
    for (const { locale, cause, problem } of rows) {
      const key = `${locale} ${cause}`;
      causes.set(key, (causes.get(key) ?? new Set()).add(problemNameOf(problem) ?? ''));
    }
    expect([...causes].filter(([, problems]) => problems.size > 1)).toEqual([]);
  });

  it('name no party at fault as a category: the sentence stands alone under its sign', async () => {
    for (const locale of LOCALES) {
      const texts = await textsIn(locale);
      for (const fault of ['user', 'institution', 'provider', 'service'])
        expect(texts.has(`fault_${fault}`)).toBe(false);
    }
  });

  it('have a line of the remedy exactly where the user has a part in it', async () => {
    const withDeed = [
      ...DEEDS_AT_THE_BANK,
      'invalid_credentials',
      'invalid_session_token',
      'address_needed',
      'session_expired',
      'oauth_state_invalid',
      'unavailable',
      'unsupported_step',
    ];
    expect(
      await rowsThat(
        ({ problem, deed }) => (deed !== null) !== withDeed.includes(problemNameOf(problem) ?? ''),
      ),
    ).toBe('');
  });

  it('offer a remedy that agrees with their sentence: the website of the bank where the deed is there, or a new try without one', async () => {
    const texts = await textsIn('en');
    for (const step of STEPS) {
      const { name, actions, institutionUrl } = problemOfStep(step, texts, NAMES, AT);
      if (!DEEDS_AT_THE_BANK.includes(name ?? '')) continue;
      expect(remedyOf(name, actions).remedy).toBe(
        institutionUrl === null ? 'retry' : 'open_institution',
      );
    }
  });

  it('have a new try as the remedy once the user has been at the website of the bank', async () => {
    const texts = await textsIn('en');
    for (const step of STEPS) {
      const { name, actions } = problemOfStep(step, texts, NAMES, AT);
      if (!actions.includes('open_institution')) continue;
      const { remedy, others } = remedyOf(name, actions, { wasAtBank: true });
      expect({ name, remedy }).toEqual({ name, remedy: 'retry' });
      expect(others).toContain('open_institution');
    }
  });

  it('offer a new start in the app only with leaving as the remedy, and a repetition only with a retry', async () => {
    const startsAgain = new Set<string>();
    const triesAgain = new Set<string>();
    for (const locale of LOCALES) {
      const texts = await textsIn(locale);
      startsAgain.add(texts.get('start_again', NAMES));
      triesAgain.add(texts.get('check_entry')).add(texts.get('wait_a_moment'));
    }
    expect(
      await rowsThat(
        ({ deed, remedy }) =>
          deed !== null &&
          ((startsAgain.has(deed) && remedy !== 'exit') ||
            (triesAgain.has(deed) && remedy !== 'retry')),
      ),
    ).toBe('');
  });

  it('have one remedy, which is possible, and leave no possible way out', async () => {
    const rows: string[] = [];
    const texts = await textsIn('en');
    for (const step of STEPS) {
      const { name, actions } = problemOfStep(step, texts, NAMES, AT);
      const { remedy, others } = remedyOf(name, actions);
      if (!actions.includes(remedy)) rows.push(`${step.error_id}: ${remedy} is not possible`);
      const left = actions.filter(
        (action) => action !== remedy && action !== 'exit' && !others.includes(action),
      );
      if (left.length > 0) rows.push(`${step.error_id}: ${left.join(', ')} is not offered`);
    }
    expect(rows).toEqual([]);
  });

  it('claim that nothing was shared only where an attempt has failed before it shared anything', () => {
    for (const [name, row] of Object.entries(CALL_PROBLEMS))
      expect({ name, reassures: row.reassures }).toEqual({ name, reassures: false });
    expect(problemRowOf('duplicate_institution').reassures).toBe(false);
  });

  it('that this version does not know have the sentence of the service', async () => {
    const texts = await textsIn('de');
    const step = {
      ...(STEPS[0] as StepOf<'error'>),
      error_id: 'connect_error.from_the_future',
      displayed_message: 'Said by the service.',
    };
    const { text, error, name, actions } = problemOfStep(step, texts, NAMES, AT);
    expect(text).toEqual({ cause: 'Das hat nicht geklappt', deed: 'Said by the service.' });
    expect(error.displayed_message).toBe('Das hat nicht geklappt. Said by the service.');
    expect(remedyOf(name, actions).remedy).toBe(actions[0]);
  });
});
