import { reopenSession } from '../arrival/reopen-session.js';
import { hearNewAddress, keepSession, keptSession } from '../arrival/session-address.js';
import { untilSeen } from '../arrival/until-seen.js';
import { handBack } from '../oauth/hand-back.js';
import { waitForPerson } from '../arrival/wait-for-person.js';
import { Left } from '../screens/status/left.js';
import { arrivalTexts } from '../texts/arrival.js';
import type { Host } from './host.js';

/** The parts of the address with which the hosted page was loaded. */
export interface Arrival {
  linkSessionToken: string | null;
  /** The page is the return page of a bank. */
  continueUrl: string | null;
  /** The session that this browser opened before. */
  sessionId: string | null;
}

/** The hosted page: the same app alone in a window, without SDK and messages. Source: connect 2. */
export function standAlone(
  { linkSessionToken, continueUrl, sessionId }: Arrival,
  appVersion: string,
): Host {
  hearNewAddress();
  const known = keptSession({ isNew: linkSessionToken !== null, inAddress: sessionId });
  const reopen: NonNullable<Host['reopen']> = (client, request) =>
    reopenSession(client, known, request);
  return {
    kind: 'page',
    // No page surrounds it: the page that shows Connect is this one (connect 8, rule 5).
    origin: location.origin,
    init: {
      linkSessionToken,
      continueUrl,
      applicationName: null,
      theme: null,
      appearance: 'system',
      locale: null,
      device: null,
      platform: 'web',
      closeOnSuccess: 'after_reading',
      inline: false,
      oauthWindow: 'popup',
      sdk: { name: 'hosted', version: appVersion },
    },
    // A return in another browser has its own problem (connect 7).
    ...(continueUrl !== null && known === null ? {} : { reopen }),
    opened: keepSession,
    async enter(texts, render) {
      texts.add(arrivalTexts[texts.locale]);
      if (continueUrl !== null && (await handBack(continueUrl))) return false;
      if (linkSessionToken !== null) await waitForPerson(linkSessionToken, texts, render);
      else if (continueUrl === null) await untilSeen();
      return true;
    },
    Left,
    post: () => undefined,
    listen: () => undefined,
  };
}
