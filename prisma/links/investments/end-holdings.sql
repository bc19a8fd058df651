-- Ends the holdings $1 on the day $2 by the clock of their link.
UPDATE holdings SET ended = $2::date WHERE pk = ANY($1::bigint[]) AND ended IS NULL
