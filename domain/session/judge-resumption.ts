/** What a window brings that returns from a bank without having started there. */
export interface ReturningWindow {
  /** Undefined = it brings no link_session_token. */
  hasToken: boolean | undefined;
  /** It is in the browser that opened the session; only sessions of the hosted page know. */
  isSameBrowser: boolean;
}

/** The part of a session that decides who may resume it. */
export interface ResumedSession {
  /** It belongs to the hosted page, and so to the browser that opened it there. */
  isHosted: boolean;
  /** Its exchange can name the user who is signed in at the app. */
  canNameUser: boolean;
}

/**
 * `holder`: the window continues as the one that started. `unproven`: it continues, but the result
 * takes effect only when the app confirms whose it is. `refused`: nothing changes.
 */
export type Resumption = 'holder' | 'unproven' | 'refused';

/**
 * Who may continue a session with nothing but the address of its return page. Anyone can be sent
 * the bank's genuine address, so the address proves that a customer of the bank signed in, never
 * that this customer is the user of the session. Source: connect 7, "Session swapping".
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
