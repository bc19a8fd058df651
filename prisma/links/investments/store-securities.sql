-- Inserts new securities and updates known ones, by their ids. $1 app, $2 environment, $3 institution, $4 now, then one array
-- per column, in the order of `described`; the bodies and facts are lines of one text each.
INSERT INTO securities (security_id, app_id, environment, institution_id, belongs_to, facts, body, created_at)
SELECT described.security_id, $1::text, $2::text, $3::text, described.belongs_to, described.facts, described.body, $4::timestamptz
  FROM unnest($5::text[], $6::text[], string_to_array($7::text, E'\n'), string_to_array($8::text, E'\n'))
       WITH ORDINALITY AS described(security_id, belongs_to, facts, body, place)
 -- One order for all, so that two links that describe the same securities do not wait for each other.
 ORDER BY described.security_id COLLATE "C"
    ON CONFLICT (security_id) DO UPDATE SET facts = excluded.facts, body = excluded.body
