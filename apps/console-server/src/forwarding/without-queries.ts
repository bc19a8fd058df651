import { parse, stringify } from 'lossless-json';

/** Members of the API whose value is an address of an app, which may hold a secret in its query. */
const ADDRESSES = new Set(['webhook', 'url', 'webhook_url']);

/** The same JSON without the queries of addresses; numbers keep their digits. */
export function withoutQueries(json: string): string {
  return (
    stringify(
      parse(json, (key, value) =>
        ADDRESSES.has(key) && typeof value === 'string' ? withoutQuery(value) : value,
      ),
    ) ?? json
  );
}

function withoutQuery(address: string): string {
  const end = address.indexOf('?');
  return end === -1 || !/^https?:/.test(address) ? address : `${address.slice(0, end)}?…`;
}
