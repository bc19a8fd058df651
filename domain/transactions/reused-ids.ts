import {
  matchTransactions,
  SAME_CONTENT,
  type KnownRow,
  type MatchReasons,
  type UnknownRow,
} from './match-transactions.js';
import { createTextSimilarity } from '../text/similar-text.js';

/** A share of the words in the shorter text, as for the same row of another source. */
const MIN_SIMILARITY = 0.5;

/** A stored row and a fetched one with the same id. */
interface Pair {
  known: KnownRow;
  row: UnknownRow;
}

/** The matches of fetched rows with stored ones, for a source with unreliable ids. */
export interface ReusedIds {
  /** Fetched id → stored id, for rows whose ids named other rows before. */
  moved: Map<string, string>;
  /** Fetched rows that are new although their id is known. */
  unknown: UnknownRow[];
  /** Stored rows whose id now names another row; they may still match another fetched row. */
  displaced: KnownRow[];
}

/**
 * Finds ids that now name another row, such as a reference derived from day and position after a
 * late row. A known id is trusted if the amount and the text match its row. Otherwise its row is
 * searched by content, among the rows that were not fetched under their own ids. An id whose row is
 * found nowhere else still names the same, changed row, unless the text is different and the
 * response may lack the row.
 * @param pairs fetched rows with the stored row of the same id
 * @param unseen stored rows whose ids were not fetched
 * @param fetched rows whose ids are not stored
 * @param mayLackRows whether the response is incomplete for an account
 */
export function findReusedIds(
  pairs: readonly Pair[],
  unseen: readonly KnownRow[],
  fetched: readonly UnknownRow[],
  reasons: MatchReasons,
  mayLackRows: (accountId: string) => boolean,
): ReusedIds {
  const similarityOf = createTextSimilarity();
  const isOtherText = ({ known, row }: Pair) =>
    (similarityOf(known.texts, row.texts) ?? 1) < MIN_SIMILARITY;
  const doubtful = pairs.filter(
    (pair) =>
      pair.known.accountId !== pair.row.accountId ||
      pair.known.type !== pair.row.type ||
      pair.known.currency !== pair.row.currency ||
      pair.known.position !== pair.row.position ||
      !pair.known.amount.equals(pair.row.amount) ||
      isOtherText(pair),
  );
  if (doubtful.length === 0) return { moved: new Map(), unknown: [], displaced: [] };
  const moved = matchTransactions(
    [...unseen, ...doubtful.map(({ known }) => known)],
    [...fetched, ...doubtful.map(({ row }) => row)],
    reasons,
    SAME_CONTENT,
  );
  const taken = new Set(moved.values());
  const isMissing = (pair: Pair) => mayLackRows(pair.known.accountId) && isOtherText(pair);
  return {
    moved,
    unknown: doubtful
      .filter((pair) => !moved.has(pair.row.id) && (taken.has(pair.row.id) || isMissing(pair)))
      .map(({ row }) => row),
    displaced: doubtful
      .filter((pair) => !taken.has(pair.row.id) && (moved.has(pair.row.id) || isMissing(pair)))
      .map(({ known }) => known),
  };
}
