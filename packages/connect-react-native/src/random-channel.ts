const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * Distinguishes the loads of a WebView. It protects nothing, since the bridge belongs to the WebView, so `Math.random`
 * is enough: React Native has no `crypto`.
 */
export function randomChannel(): string {
  return Array.from({ length: 22 }, () => ALPHABET[Math.floor(Math.random() * 64)]).join('');
}
