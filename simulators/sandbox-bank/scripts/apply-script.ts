import { givenDetails } from '../details/given-details.js';
import { applySteps, Impossible, type ImpossibleStep } from './apply-steps.js';
import type { ScriptedRow } from './scripted-row.js';
import type { Birth, ScriptStep } from './script-form.js';

/** The possible places of a script's rows. */
export interface ScriptPlace {
  /** Accounts of the permission, by id. */
  accounts: readonly { accountId: string; currency: string; isChecking: boolean }[];
  /** `YYYY-MM-DD` in the world of the customer. */
  today: string;
}

/**
 * The rows after the script and the names it changed; or the impossible step, without any
 * change.
 */
export function applyScript(
  before: readonly ScriptedRow[],
  script: readonly ScriptStep[],
  place: ScriptPlace,
): { after: ScriptedRow[]; touched: string[] } | ImpossibleStep {
  const touched = new Set<string>();
  const end = applySteps(
    new Map(before.map((row) => [row.ref, row])),
    script,
    (rows, step: ScriptStep) => {
      const changed = afterStep(rows, step, place);
      for (const { ref } of changed) touched.add(ref);
      return new Map([...rows, ...changed.map((row) => [row.ref, row] as const)]);
    },
  );
  return 'index' in end ? end : { after: [...end.after.values()], touched: [...touched] };
}

/** The rows that a step creates or changes. */
function afterStep(
  rows: ReadonlyMap<string, ScriptedRow>,
  step: ScriptStep,
  place: ScriptPlace,
): ScriptedRow[] {
  switch (step.verb) {
    case 'authorize':
      if (rows.has(step.ref)) throw new Impossible('The ref is in use.');
      return [born(step, 'PENDING', place)];
    case 'post': {
      if (!rows.has(step.ref)) return [born(step, 'BOOKED', place)];
      const row = living(rows, step.ref);
      if (row.status === 'BOOKED') throw new Impossible('The row is posted already.');
      return [
        {
          ...row,
          amount: step.amount ?? row.amount,
          date: notInTheFuture(step.date ?? row.date, place),
          status: 'BOOKED',
        },
      ];
    }
    case 'amend': {
      const { amount, date, description, statement_text: statementText, category } = step;
      const row = living(rows, step.ref);
      return [
        {
          ...row,
          amount: amount ?? row.amount,
          date: notInTheFuture(date ?? row.date, place),
          description: description === undefined ? row.description : description,
          statementText: statementText === undefined ? row.statementText : statementText,
          category: category === undefined ? row.category : category,
          details: { ...row.details, ...givenDetails(step) },
        },
      ];
    }
    case 'reverse': {
      const row = living(rows, step.ref);
      const ref = `${row.ref}.reversal`;
      if (rows.has(ref)) throw new Impossible('The row is reversed already.');
      return [
        {
          ...row,
          ref,
          direction: row.direction === 'OUT' ? 'IN' : 'OUT',
          date: notInTheFuture(step.date ?? place.today, place),
          status: 'BOOKED',
        },
      ];
    }
    case 'drop':
      return [{ ...living(rows, step.ref), status: 'GONE' }];
    case 'backdate': {
      if (step.date >= place.today) throw new Impossible('The date is not in the past.');
      if (!rows.has(step.ref)) return [born(step, 'BOOKED', place)];
      const row = living(rows, step.ref);
      if (step.date >= row.date) throw new Impossible('The row is not later than that.');
      return [{ ...row, date: step.date }];
    }
  }
}

function born(
  step: Birth & { ref: string },
  status: 'PENDING' | 'BOOKED',
  place: ScriptPlace,
): ScriptedRow {
  const account =
    step.account_id === undefined
      ? place.accounts.find(({ isChecking }) => isChecking)
      : place.accounts.find(({ accountId }) => accountId === step.account_id);
  if (account === undefined)
    throw new Impossible(
      step.account_id === undefined ? 'There is no checking account.' : 'Account not found.',
    );
  if (step.amount === undefined) throw new Impossible('A new row needs an amount.');
  return {
    ref: step.ref,
    accountId: account.accountId,
    direction: step.direction ?? 'OUT',
    amount: step.amount,
    currency: step.currency ?? account.currency,
    date: notInTheFuture(step.date ?? place.today, place),
    description: step.description ?? null,
    statementText: step.statement_text ?? null,
    category: step.category ?? null,
    details: givenDetails(step),
    status,
  };
}

function living(rows: ReadonlyMap<string, ScriptedRow>, ref: string): ScriptedRow {
  const row = rows.get(ref);
  if (row === undefined) throw new Impossible('The ref is not in use.');
  if (row.status === 'GONE') throw new Impossible('The row is gone.');
  return row;
}

function notInTheFuture(date: string, { today }: ScriptPlace): string {
  if (date > today) throw new Impossible('The date is in the future.');
  return date;
}
