import { useConnect, useOAuthReturn, type ConnectCallbacks } from '@tributary/connect-react-native';
import * as Linking from 'expo-linking';
import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { acceptResult, ask, type LinkedBank } from './back-end';
import { LedgerContext } from './ledger-context';

/** The linked banks of the user, and Connect to link more. It stays mounted, so it receives every return from a bank. */
export function LedgerProvider({ children }: { children: ReactNode }) {
  const [banks, setBanks] = useState<LinkedBank[]>([]);
  const [message, say] = useState('');
  const { presentLinkFlow } = useConnect();

  const refresh = useCallback(async () => setBanks(await ask('GET', '/api/links')), []);
  const attempt = useCallback((work: () => Promise<unknown>) => {
    work().catch((error: Error) => say(error.message));
  }, []);
  useEffect(() => attempt(refresh), [attempt, refresh]);

  const callbacks: ConnectCallbacks = {
    onSuccess: (success) =>
      attempt(async () => {
        await acceptResult(success);
        say(`${success.institution.name} is ${success.mode === 'link' ? 'linked' : 'repaired'}.`);
        await refresh();
      }),
    onExit: ({ reason, error }) =>
      say(error?.displayed_message ?? `Nothing was linked (${reason}).`),
  };
  // Also when the system killed the app while the bank's page was open.
  useOAuthReturn(callbacks);

  const linkBank = (linkId?: string) =>
    attempt(async () => {
      say('');
      // In Expo Go exp://…/--/bank-return, in an app of its own pocketledger://bank-return.
      const redirectUri = Linking.createURL('bank-return');
      const body = { redirectUri, linkId };
      const { linkSessionToken } = await ask('POST', '/api/session', body);
      presentLinkFlow({ linkSessionToken, applicationName: 'Pocket Ledger', ...callbacks });
    });
  const change = (method: 'POST' | 'DELETE', path: `/api/links/${string}`) =>
    attempt(async () => {
      await ask(method, path, method === 'POST' ? {} : undefined);
      await refresh();
    });
  const ledger = {
    banks,
    message,
    linkBank,
    breakBank: (linkId: string) => change('POST', `/api/links/${linkId}/reset`),
    disconnectBank: (linkId: string) => change('DELETE', `/api/links/${linkId}`),
  };
  return <LedgerContext value={ledger}>{children}</LedgerContext>;
}
