import { useConnect } from '@tributary/connect-react-native';
import { Link, Redirect } from 'expo-router';
import { Text, View } from 'react-native';
import { look } from '../ledger/look';

/**
 * The route of the return link. Without it expo-router shows "Unmatched Route". It only waits:
 * `useOAuthReturn` in the LedgerProvider receives the same link and passes it to Connect.
 */
export default function BankReturn() {
  const { status } = useConnect();
  if (status === 'success' || status === 'exited') return <Redirect href="/" />;
  return (
    <View style={look.page}>
      <Text style={look.text}>One moment …</Text>
      <Link href="/" replace style={look.link}>
        Back to your accounts
      </Link>
    </View>
  );
}
