/** The nonce of the policy of this page, which the server writes into it, for the styles of Mantine. */
export function styleNonce(): string | undefined {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]');
  return meta?.content || undefined;
}
