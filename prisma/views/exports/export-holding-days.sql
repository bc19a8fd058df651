-- The kept days of the holdings of the account $1 after the day $2: at most $3, and after the first no more than have 256 kB
-- together as they are stored, compressed.
SELECT sized.day::text AS key, sized.account, sized.holdings
  FROM (SELECT next.*, row_number() OVER days AS place, sum(pg_column_size(next.holdings)) OVER days AS size
          FROM (SELECT * FROM holding_days WHERE account_pk = $1::bigint AND day > $2::date ORDER BY day LIMIT $3::int) AS next
        WINDOW days AS (ORDER BY next.day)) AS sized
 WHERE sized.place = 1 OR sized.size <= 262144
 ORDER BY sized.day
