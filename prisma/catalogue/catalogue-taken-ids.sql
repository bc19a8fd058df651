-- Every id that an institution has, or is also known by.
SELECT institution_id AS id FROM institutions UNION ALL SELECT alias FROM institution_aliases
