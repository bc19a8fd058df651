import { ConnectProvider } from '@tributary/connect-react-native';
import { Stack } from 'expo-router';
import { LedgerProvider } from '../ledger/ledger-provider';

/** The address of Connect. Expo inserts a variable into the bundle by exactly this expression. */
const connectBaseUrl = process.env.EXPO_PUBLIC_CONNECT_BASE_URL ?? 'http://127.0.0.1:4000/connect';

export default function Layout() {
  return (
    <ConnectProvider connectBaseUrl={connectBaseUrl}>
      <LedgerProvider>
        <Stack screenOptions={{ title: 'Pocket Ledger' }} />
      </LedgerProvider>
    </ConnectProvider>
  );
}
