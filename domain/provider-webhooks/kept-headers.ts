/** Headers that signatures cover or contain. The rest, such as proxy addresses, is dropped. */
const KEPT = /^(content-type|authorization)$|signature|verification|digest|timestamp|webhook-id/;

/**
 * The headers of a webhook that its verification may need, by lower-case name and sorted by name.
 * Repeated ones are joined according to RFC 9110 (5.3).
 */
export function keptHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .flatMap(([name, value]) =>
        value === undefined || !KEPT.test(name.toLowerCase())
          ? []
          : [[name.toLowerCase(), typeof value === 'string' ? value : value.join(', ')] as const],
      )
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}
