-- Moves every sequence of the database beyond $1: no number is assigned a second time to another
-- row, and a cursor over rows in the order of their numbers reaches every new one. Sequences of 32
-- bits only number internal rows.
SELECT count(setval(sequence.oid::regclass, greatest($1::bigint, coalesce(pg_sequence_last_value(sequence.oid), 0))))::int AS sequences
  FROM pg_class sequence JOIN pg_sequence detail ON detail.seqrelid = sequence.oid
 WHERE sequence.relnamespace = current_schema()::regnamespace AND detail.seqtypid = 'bigint'::regtype
