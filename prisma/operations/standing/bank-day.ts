import type { Tenant } from '../../../domain/api/environment.js';
import { outcomeOf, type SessionState } from '../../../domain/session/session-outcome.js';
import type { SessionExit } from '../../../domain/session/session-exit.js';
import type { Database } from '../../base/database/database.js';
import type { Statement } from '../../base/database/statement.js';

/** The newest ones are read. */
export const MAX_SESSIONS = 2_000;
export const MAX_LINKS = 1_000;
/** The logins of a session that are looked at. */
export const MAX_DECISIONS = 10;

/** An attempt to link or to repair that is over. */
export interface EndedAttempt {
  createdAt: Date;
  isLinked: boolean;
  /** The causes of its failed logins. */
  failedCauses: readonly string[];
}

/** The last refresh of a link. */
export interface LastRefresh {
  at: Date;
  isFailed: boolean;
}

export interface BankActivity {
  attempts: EndedAttempt[];
  refreshes: LastRefresh[];
  sessionsRead: number;
  linksRead: number;
  isCut: boolean;
}

export interface BankOfApp {
  tenant: Tenant;
  institutionId: string;
}

/** The sessions of an app at a bank, newest first, with the causes of their failed logins there. */
export const bankSessionsStatement = (
  { tenant: { appId, environment }, institutionId }: BankOfApp,
  since: Date,
): Statement => ({
  text: `
    SELECT s.created_at AS "createdAt", s.mode, s.state, s.end_reason AS "endReason", s.expires_at AS "expiresAt",
           s.succeeded_at AS "succeededAt", s.plaid_exit AS exit,
           ARRAY(SELECT d.failed_cause
                   FROM (SELECT * FROM route_decisions r WHERE r.session_id >= s.session_id AND r.session_id <= s.session_id
                          ORDER BY r.session_id, r.attempt_key LIMIT ${MAX_DECISIONS}) AS d
                  WHERE d.institution_id = $3 AND d.failed_cause IS NOT NULL) AS "failedCauses"
      FROM link_sessions s
     WHERE s.app_id = $1 AND s.environment = $2 AND (s.institution_id, s.created_at) >= ($3, $4) AND s.institution_id <= $3
     ORDER BY s.institution_id DESC, s.created_at DESC, s.session_id DESC LIMIT ${MAX_SESSIONS + 1}`,
  values: [appId, environment, institutionId, since],
});

/** The newest links of an app at a bank, with their last refresh that is over. */
export const bankLinksStatement = ({
  tenant: { appId, environment },
  institutionId,
}: BankOfApp): Statement => ({
  text: `
    SELECT last.at, last.failed AS "isFailed"
      FROM (SELECT k.pk FROM links k
             WHERE k.app_id = $1 AND k.environment = $2 AND k.institution_id >= $3 AND k.institution_id <= $3
               AND k.connected_at IS NOT NULL AND k.deleted_at IS NULL
             ORDER BY k.institution_id DESC, k.pk DESC LIMIT ${MAX_LINKS + 1}) AS l
     CROSS JOIN LATERAL (
       SELECT max(p.attempt_began_at) AS at, bool_or(p.error_code IS NOT NULL) AS failed
         FROM (SELECT q.*, max(q.fetched_in_run) OVER () AS last_run FROM link_products q
                WHERE q.link_pk = l.pk AND q.granted AND q.state <> 'in_progress') AS p
        WHERE p.fetched_in_run = p.last_run) AS last`,
  values: [appId, environment, institutionId],
});

interface SessionRow {
  createdAt: Date;
  mode: string;
  state: string;
  endReason: string | null;
  expiresAt: Date;
  succeededAt: Date | null;
  exit: SessionExit | null;
  failedCauses: string[];
}

/** What rows tell of an app's use of a bank. */
export async function readBankActivity(
  { pool }: Pick<Database, 'pool'>,
  bank: BankOfApp,
  { since, now }: { since: Date; now: Date },
): Promise<BankActivity> {
  const [sessions, links] = await Promise.all([
    pool.query<SessionRow>(bankSessionsStatement(bank, since)),
    pool.query<{ at: Date | null; isFailed: boolean | null }>(bankLinksStatement(bank)),
  ]);
  const readSessions = sessions.rows.slice(0, MAX_SESSIONS);
  const readLinks = links.rows.slice(0, MAX_LINKS);
  return {
    attempts: readSessions.flatMap((row) => endedAttempt(row, now)),
    refreshes: readLinks.flatMap(({ at, isFailed }) =>
      at === null ? [] : [{ at, isFailed: isFailed ?? false }],
    ),
    sessionsRead: readSessions.length,
    linksRead: readLinks.length,
    isCut: sessions.rows.length > MAX_SESSIONS || links.rows.length > MAX_LINKS,
  };
}

/** None while its user may still act, and if another session or its app ended it: it tells nothing of the bank. */
function endedAttempt(row: SessionRow, now: Date): EndedAttempt[] {
  const { createdAt, failedCauses, succeededAt } = row;
  const outcome = outcomeOf(
    { ...row, mode: row.mode as 'link' | 'relink', state: row.state as SessionState },
    now,
  );
  if (outcome === null || outcome === 'superseded' || outcome === 'canceled') return [];
  return [{ createdAt, isLinked: succeededAt !== null, failedCauses }];
}
