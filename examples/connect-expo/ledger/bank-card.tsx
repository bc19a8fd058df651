import { Text, View } from 'react-native';
import type { LinkedBank } from './back-end';
import { Button } from './button';
import { useLedger } from './ledger-context';
import { look } from './look';

/** A linked bank with its accounts, and the actions of its owner. */
export function BankCard({ bank: { link, accounts } }: { bank: LinkedBank }) {
  const { linkBank, breakBank, disconnectBank } = useLedger();
  const isBroken = link.state === 'error';
  return (
    <View style={look.card}>
      <Text style={look.heading}>{link.institution_name}</Text>
      <Text style={look.small}>{describeState(link)}</Text>
      {accounts.map(({ account_id: id, name, account_mask: mask, balances }) => (
        <View key={id} style={look.row}>
          <Text style={look.text}>
            {name} {mask === null ? '' : `•••• ${mask}`}
          </Text>
          <Text style={look.text}>{money(balances.current, balances.currency)}</Text>
        </View>
      ))}
      {isBroken ? (
        <Button onPress={() => linkBank(link.link_id)}>Repair</Button>
      ) : (
        <Button onPress={() => breakBank(link.link_id)}>Break (only a sandbox can)</Button>
      )}
      <Button onPress={() => disconnectBank(link.link_id)}>Disconnect</Button>
    </View>
  );
}

/** The state of a link in words for its owner. */
function describeState({ state, error_code: errorCode }: LinkedBank['link']): string {
  if (state === 'connected') return 'Connected';
  if (state !== 'error') return 'One moment …';
  return errorCode === 'auth_expired' ? 'Sign in again to continue' : 'Not up to date';
}

/** A bank may omit an amount. */
function money(amount: number | null, currency: string): string {
  if (amount === null) return '–';
  return new Intl.NumberFormat(undefined, { style: 'currency', currency }).format(amount);
}
