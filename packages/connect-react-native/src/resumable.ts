/** The address that opened the app, and the token with which it would be continued. */
export interface ReturnQuestion {
  url: string;
  link_session_token: string | null;
}

/** The limit of one attempt. */
const WITHIN_MS = 10_000;
/** After an attempt that got no answer. A phone that has just changed its app may be without a network. */
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 15_000];

/**
 * Asks the service whether the address can still be continued: a phone may deliver an old link again, and anyone can
 * send one. Without any answer nothing is continued.
 * @param isWanted false once the answer would have no effect
 */
export async function isResumable(
  baseAddress: string,
  question: ReturnQuestion,
  isWanted: () => boolean,
): Promise<boolean> {
  for (const pause of [0, ...PAUSES_MS]) {
    if (pause > 0) await new Promise<void>((done) => setTimeout(done, pause));
    if (!isWanted()) return false;
    const answer = await ask(`${baseAddress}/api/session/resumable`, question);
    if (answer !== undefined) return answer && isWanted();
  }
  return false;
}

/** @returns undefined when the service could not be reached, or was too busy */
async function ask(address: string, question: ReturnQuestion): Promise<boolean | undefined> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), WITHIN_MS);
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(question),
      credentials: 'omit',
      signal: late.signal,
    });
    if (response.status === 429 || response.status >= 500) return undefined;
    const answer = (await response.json()) as { resumable?: unknown } | null;
    return response.ok && answer?.resumable === true;
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
