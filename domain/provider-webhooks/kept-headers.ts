/** What signatures cover or contain: the rest, such as addresses of proxies, is dropped. */
const KEPT = /^(content-type|authorization)$|signature|verification|digest|timestamp|webhook-id/;

/**
 * The headers of a webhook that its verification may need, by name in lower case and in the order of
 * their names. Repeated ones are joined as RFC 9110 (5.3) says.
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
