import { createContext, useContext } from 'react';

/** The signed-in person and the parts of the service that the page leads to. */
export interface Session {
  actor: string;
  role: 'operator' | 'app';
  is_read_only: boolean;
  signed_in_at: string;
  ends_at: string;
  /** The apps that the person may open. */
  apps: { app_id: string; name: string }[];
  version: string;
  base_url: string;
  connect_base_url: string;
  temporal_ui_url: string | null;
  temporal_namespace: string | null;
  grafana_url: string | null;
}

const SessionContext = createContext<Session | null>(null);
export const SessionProvider = SessionContext.Provider;

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('This part of the page is for signed-in persons.');
  return session;
}

/** False for a read-only sign-in: there, what changes something has no button. */
export const useMayChange = (): boolean => !useSession().is_read_only;
