/**
 * Replaces a segment that cannot be decoded. No id contains it, so the shape check reports the
 * parameter.
 */
const UNDECODABLE = '%00';

/**
 * Makes an address with broken percent-encoding routable. It must not fail before authentication:
 * native-api 1.3 rejects it in step 5.
 */
export function repairPath(address: string): string {
  const end = address.search(/[?#]/);
  const path = end < 0 ? address : address.slice(0, end);
  if (!path.includes('%')) return address;
  const repaired = path
    .split('/')
    .map((segment) => (isDecodable(segment) ? segment : UNDECODABLE))
    .join('/');
  return end < 0 ? repaired : repaired + address.slice(end);
}

/** True for a path value that could not be decoded, or contains U+0000. */
export function isUndecodable(value: string): boolean {
  return value.includes('\u0000');
}

function isDecodable(segment: string): boolean {
  try {
    decodeURIComponent(segment);
    return true;
  } catch {
    return false;
  }
}
