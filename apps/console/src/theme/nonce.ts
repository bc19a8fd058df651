import { setNonce } from 'get-nonce';

/**
 * The nonce of the policy of this page, which the server writes into it. Mantine's own styles take it as a property;
 * its scroll lock, which is another library, by `setNonce`.
 */
export function styleNonce(): string | undefined {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]');
  const nonce = meta?.content || undefined;
  if (nonce !== undefined) setNonce(nonce);
  return nonce;
}
