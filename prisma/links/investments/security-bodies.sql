-- The public JSON of the securities $1, in the order of their ids.
SELECT body FROM securities WHERE security_id = ANY($1::text[]) ORDER BY security_id COLLATE "C"
