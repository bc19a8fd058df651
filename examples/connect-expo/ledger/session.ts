import * as SecureStore from 'expo-secure-store';

/**
 * Who is signed in outlives the app: when the system ended it while a bank's page was open, the result is still that
 * of the same user.
 */
const KEY = 'pocket-ledger-session';

export const keptSession = () => SecureStore.getItemAsync(KEY);
export const keepSession = (session: string) => SecureStore.setItemAsync(KEY, session);
export const forgetSession = () => SecureStore.deleteItemAsync(KEY);
