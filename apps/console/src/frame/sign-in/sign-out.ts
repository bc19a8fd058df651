import { change } from '../../data/call.js';
import { sessionHalf } from '../../data/session-half.js';

/** Ends the session here and at the service, and loads the page again, which forgets everything that was read. */
export async function signOut(): Promise<void> {
  // A session that the service does not know any more is ended as well.
  await change({ method: 'DELETE', path: '/session' }).catch(() => undefined);
  sessionHalf.remove();
  window.location.assign('/sign-in');
}
