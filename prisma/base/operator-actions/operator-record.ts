import type { Context } from '../context.js';
import { pageOf, readAtMost, type PageBound, type ReadRow } from '../database/bounded-page.js';
import { readInIndexOrder } from '../database/read-in-index-order.js';
import { Values, type Statement } from '../database/statement.js';
import type { OperatorAction } from './operator-action.repository.js';

/** Selects recorded actions; all given conditions must hold. */
export interface RecordFilter {
  actor?: string | undefined;
  /** A command, or the noun of several: `institutions pause` or `institutions`. */
  action?: string | undefined;
  /** The first word of the subject, such as the id of a link. */
  subject?: string | undefined;
}

export interface RecordPageRequest {
  /** Only older ones than this time, or than the action of this number; null = from the newest. */
  before: Date | bigint | null;
  limit: number;
}

export interface RecordedAction extends OperatorAction {
  /** Rises with each recorded action. */
  number: bigint;
  createdAt: Date;
}

export interface RecordPage {
  /** Newest first. */
  actions: RecordedAction[];
  /** The number before which the next page begins; null = this is the last one. */
  next: bigint | null;
}

const BEYOND_ALL = 2n ** 63n - 1n;
/** The indexed expression of the migration. */
const FIRST_WORD = `split_part(a.subject, ' ', 1)`;

function boundOf({ actor, action }: RecordFilter, { before, limit }: RecordPageRequest): PageBound {
  const isChecked = actor !== undefined || action !== undefined || before instanceof Date;
  return { limit, checksRows: isChecked };
}

/** The rows that one page reads, newest first, each with whether it matches the whole filter. */
export function recordPageStatement(filter: RecordFilter, request: RecordPageRequest): Statement {
  const values = new Values();
  const { actor, action, subject } = filter;
  const { before } = request;
  const checks: string[] = [];
  if (actor !== undefined) checks.push(`a.actor = ${values.add(actor)}`);
  if (action !== undefined) {
    const named = values.add(action);
    checks.push(`(a.action = ${named} OR split_part(a.action, ' ', 1) = ${named})`);
  }
  let newest = values.add(before instanceof Date || before === null ? BEYOND_ALL : before);
  if (before instanceof Date) {
    const time = values.add(before);
    checks.push(`a.created_at < ${time}`);
    // The number of the newest action of that time: those of later ones are not read.
    newest = `least(${newest}, coalesce((SELECT l.pk + 1 FROM operator_actions l WHERE l.created_at < ${time} ORDER BY l.created_at DESC, l.pk DESC LIMIT 1), 0))`;
  }
  // A comparison of rows, as an equality may be read by another index (decision 0055).
  const range =
    subject === undefined
      ? { where: `a.pk < ${newest}`, order: 'a.pk DESC' }
      : {
          where: rangeOf(values.add(subject), newest),
          order: `${FIRST_WORD} DESC, a.pk DESC`,
        };
  return values.statement(`
    SELECT a.pk, a.actor, a.action, a.subject, a.outcome, a.created_at, ${checks.join(' AND ') || 'true'} AS matches
      FROM operator_actions a WHERE ${range.where} ORDER BY ${range.order} LIMIT ${values.add(readAtMost(boundOf(filter, request)))}`);
}

const rangeOf = (word: string, newest: string): string =>
  `(${FIRST_WORD}, a.pk) < (${word}, ${newest}) AND ${FIRST_WORD} >= ${word}`;

interface ActionRow extends ReadRow {
  /** A bigint, as text. */
  pk: string;
  actor: string;
  action: string;
  subject: string;
  outcome: OperatorAction['outcome'];
  created_at: Date;
}

/** A page of the record of operators. It may hold fewer actions than its limit, even none. */
export async function listRecord(
  { database }: Pick<Context, 'database'>,
  filter: RecordFilter,
  request: RecordPageRequest,
): Promise<RecordPage> {
  const statement = recordPageStatement(filter, request);
  const read = await readInIndexOrder<ActionRow>(database.pool, statement);
  const { rows, next } = pageOf(read, boundOf(filter, request));
  const actions = rows.map(({ pk, actor, action, subject, outcome, created_at: createdAt }) => ({
    number: BigInt(pk),
    actor,
    action,
    subject,
    outcome,
    createdAt,
  }));
  return { actions, next: next === null ? null : BigInt(next.pk) };
}
