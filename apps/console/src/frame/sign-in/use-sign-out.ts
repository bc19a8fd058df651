import { useQueryClient } from '@tanstack/react-query';
import { change, forgetAnswers } from '../../data/call.js';
import { sessionHalf } from '../../data/session-half.js';
import { useGo } from '../address.js';

/** Ends the session here and at the service, and forgets everything that was read. */
export function useSignOut(): () => Promise<void> {
  const queries = useQueryClient();
  const go = useGo();
  return async () => {
    // A session that the service does not know any more is ended as well.
    await change({ method: 'DELETE', path: '/session' }).catch(() => undefined);
    sessionHalf.remove();
    forgetAnswers();
    queries.clear();
    go('/sign-in');
  };
}
