import { useConnect } from '@tributary/connect-react-native';
import { ScrollView, Text } from 'react-native';
import { BankCard } from '../ledger/bank-card';
import { Button } from '../ledger/button';
import { useLedger } from '../ledger/ledger-context';
import { look } from '../ledger/look';

export default function Accounts() {
  const { banks, message, linkBank } = useLedger();
  const { status } = useConnect();
  return (
    <ScrollView contentContainerStyle={look.page}>
      <Text style={look.text}>All your accounts on one page.</Text>
      <Button disabled={status === 'opening' || status === 'open'} onPress={() => linkBank()}>
        Link a bank
      </Button>
      <Text style={look.text} accessibilityLiveRegion="polite">
        {message}
      </Text>
      {banks.length === 0 && (
        <Text style={look.small}>
          No bank yet. You choose what Pocket Ledger sees, and can disconnect at any time.
        </Text>
      )}
      {banks.map((bank) => (
        <BankCard key={bank.link.link_id} bank={bank} />
      ))}
    </ScrollView>
  );
}
