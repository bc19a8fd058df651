import { createContext, useContext } from 'react';
import type { SessionView } from '../../../console-server/src/sign-in/session-view.js';

/** The signed-in person and the parts of the service that the page leads to. */
export type Session = SessionView;

const SessionContext = createContext<Session | null>(null);
export const SessionProvider = SessionContext.Provider;

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('This part of the page is for signed-in persons.');
  return session;
}
