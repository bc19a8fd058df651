-- Voids the positions of the next links up to $1, and moves their ends behind them. Their
-- revisions, too, may have been issued since the backup, as a part of an entity tag. $2 after this
-- pk, $3 limit.
WITH batch AS (
  SELECT pk, head_seq, investment_seq FROM links WHERE pk > $2::bigint ORDER BY pk LIMIT $3::int FOR NO KEY UPDATE
), voided AS (
  INSERT INTO void_positions (link_pk, after_seq, after_investment_seq, until_seq) SELECT pk, head_seq, investment_seq, $1::bigint FROM batch
), moved AS (
  UPDATE links SET head_seq = $1::bigint + 1, investment_seq = $1::bigint + 1, revision = greatest(links.revision, $1::bigint) + 1
    FROM batch WHERE links.pk = batch.pk
)
SELECT max(pk)::text AS last_pk, count(*)::int AS links FROM batch
