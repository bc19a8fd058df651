-- The first day of the holdings $1, and the day on which they ended.
SELECT holding_id, first_seen::text AS first_seen, ended::text AS ended FROM holdings WHERE holding_id = ANY($1::text[])
