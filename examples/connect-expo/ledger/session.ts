import * as SecureStore from 'expo-secure-store';

/**
 * The signed-in user outlives the app: when the system killed it while a bank's page was open, the result still belongs
 * to the same user.
 */
const KEY = 'pocket-ledger-session';

export const keptSession = () => SecureStore.getItemAsync(KEY);
export const keepSession = (session: string) => SecureStore.setItemAsync(KEY, session);
export const forgetSession = () => SecureStore.deleteItemAsync(KEY);
