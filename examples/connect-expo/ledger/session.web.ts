/** A browser keeps it as long as its tab. */
const KEY = 'pocket-ledger-session';

export const keptSession = async () => sessionStorage.getItem(KEY);
export const keepSession = async (session: string) => sessionStorage.setItem(KEY, session);
export const forgetSession = async () => sessionStorage.removeItem(KEY);
