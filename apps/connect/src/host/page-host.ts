import { handBack } from '../oauth/hand-back.js';
import { waitForPerson } from '../arrival/wait-for-person.js';
import { Left } from '../screens/status/left.js';
import type { Host } from './host.js';

/** The hosted page: the same app alone in a window, without SDK and messages. Source: connect 2. */
export function standAlone(
  start: { linkSessionToken: string | null; continueUrl: string | null },
  appVersion: string,
): Host {
  return {
    kind: 'page',
    // No page surrounds it: the page that shows Connect is this one (connect 8, rule 5).
    origin: location.origin,
    init: {
      ...start,
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
    async enter(texts, render) {
      if (start.continueUrl !== null && (await handBack(start.continueUrl))) return false;
      if (start.linkSessionToken !== null)
        await waitForPerson(start.linkSessionToken, texts, render);
      return true;
    },
    Left,
    post: () => undefined,
    listen: () => undefined,
  };
}
