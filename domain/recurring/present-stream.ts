import { jsonNumber } from '../api/money.js';
import type { IdentifiedStream } from './identified-stream.js';

/** Of a response; `transaction_count` has them all. */
const MAX_IDS = 100;

/** The public JSON of a stream. Source: native-api 4.13. */
export function renderStream(stream: IdentifiedStream): string {
  const { streamId, amounts, next, why } = stream;
  const nextText =
    next === null
      ? 'null'
      : `{"expected":"${next.expected}","earliest":"${next.earliest}","latest":"${next.latest}",` +
        `"amount_min":${jsonNumber(next.amountMin)},"amount_max":${jsonNumber(next.amountMax)}}`;
  return (
    `{"stream_id":${text(streamId)},"account_id":${text(stream.accountId)},"direction":"${stream.direction}",` +
    `"label":${text(stream.label)},"interval":"${stream.interval}",` +
    `"amounts":{"last":${jsonNumber(amounts.last)},"typical":${jsonNumber(amounts.typical)},` +
    `"min":${jsonNumber(amounts.min)},"max":${jsonNumber(amounts.max)},` +
    `"currency":${text(amounts.currency)},"changed_on":${text(amounts.changedOn)}},` +
    `"first_date":"${stream.firstDate}","last_date":"${stream.lastDate}","status":"${stream.status}",` +
    `"next":${nextText},"is_transfer":${stream.isTransfer},` +
    `"transaction_ids":${JSON.stringify(stream.transactionIds.slice(0, MAX_IDS))},` +
    `"transaction_count":${stream.transactionIds.length},` +
    `"why":{"key":"${why.key}","hits":${why.hits},"gaps":${why.gaps},"extras":${why.extras},` +
    `"chance":${jsonNumber(why.chance)}}}`
  );
}

const text = (value: string | null): string => JSON.stringify(value);
