/** The facts of a window that returns from a bank without having started there. */
export interface ReturningWindow {
  /** Undefined = it has no link_session_token. */
  hasToken: boolean | undefined;
  /** It is in the browser that opened the session; known only for sessions of the hosted page. */
  isSameBrowser: boolean;
}

/** The part of a session that determines who may resume it. */
export interface ResumedSession {
  /** It belongs to the hosted page, and so to the browser that opened it there. */
  isHosted: boolean;
  /** Its exchange can name the user who is signed in at the app. */
  canNameUser: boolean;
}

/**
 * `holder`: the window continues as the one that started. `unproven`: it continues, but the result
 * takes effect only when the app confirms its owner. `refused`: nothing changes.
 */
export type Resumption = 'holder' | 'unproven' | 'refused';

/**
 * Decides whether a window may continue a session with only the address of its return page. Anyone
 * can be sent the bank's genuine address, so the address proves that a customer of the bank signed
 * in, but not that this customer is the user of the session. Source: connect 7, "Session swapping".
 */
export function judgeResumption(
  { isHosted, canNameUser }: ResumedSession,
  { hasToken, isSameBrowser }: ReturningWindow,
): Resumption {
  if (hasToken === false) return 'refused';
  if (isHosted) return isSameBrowser ? 'holder' : 'refused';
  if (hasToken === true) return 'holder';
  return canNameUser ? 'unproven' : 'refused';
}
