-- Every id and alias of an institution.
SELECT institution_id AS id FROM institutions UNION ALL SELECT alias FROM institution_aliases
