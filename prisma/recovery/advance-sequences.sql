-- Moves every number that the database gives out behind $1: none is given out a second time for another row, and a
-- cursor over rows in the order of their numbers meets every new one. Those of 32 bits number only what stays inside.
SELECT count(setval(sequence.oid::regclass, greatest($1::bigint, coalesce(pg_sequence_last_value(sequence.oid), 0))))::int AS sequences
  FROM pg_class sequence JOIN pg_sequence detail ON detail.seqrelid = sequence.oid
 WHERE sequence.relnamespace = current_schema()::regnamespace AND detail.seqtypid = 'bigint'::regtype
