import { useQueryClient } from '@tanstack/react-query';
import { forgetAnswers, lostSessions } from '../../data/call.js';
import { sessionHalf } from '../../data/session-half.js';
import { useGo } from '../address.js';
import { signInCode } from './code-of-address.js';
import { placeAfter } from './place-after.js';

/** Keeps the half of a new session, forgets what another person read here, and goes where the person was. */
export function useBeginSession(): (half: string) => void {
  const queries = useQueryClient();
  const go = useGo();
  return (half) => {
    sessionHalf.keep(half);
    signInCode.set(null);
    lostSessions.set(0);
    forgetAnswers();
    queries.clear();
    go(placeAfter.take(), { replace: true });
  };
}
