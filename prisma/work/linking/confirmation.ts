import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import type { LinkSession } from '../../generated/client.js';
import { openSecret, putSecret } from '../../base/sealing/session-secret.js';
import type { LinkingAnswers } from './finish-linking.js';

const KIND = 'unconfirmed_result';

/** The facts needed to apply a result when the app confirms it. */
export interface UnconfirmedResult extends LinkingAnswers {
  /** `SourceFacts.historyFirst` of the provider. */
  historyFirst: boolean;
}

/**
 * The window of the session never proved that it belongs to the user of its link: the result takes
 * effect only when the app exchanges it for that user. Source: connect 7, "Session swapping".
 */
export function awaitsConfirmation({
  resumedWithoutToken,
}: Pick<LinkSession, 'resumedWithoutToken'>): boolean {
  return resumedWithoutToken;
}

/** Keeps the answers of the user, sealed, until the app confirms the result or the session ends. */
export async function keepResult(
  ctx: Context,
  tx: Tx,
  sessionId: string,
  result: UnconfirmedResult,
): Promise<void> {
  await putSecret(ctx, tx, sessionId, KIND, '', Buffer.from(JSON.stringify(result)));
}

/** Null = the session has no result to confirm. */
export async function keptResult(
  ctx: Context,
  tx: Tx,
  sessionId: string,
): Promise<UnconfirmedResult | null> {
  const sealed = await openSecret(ctx, tx, sessionId, KIND, '');
  // Only keepResult writes this secret.
  return sealed === null ? null : (JSON.parse(sealed.toString('utf8')) as UnconfirmedResult);
}
