-- Listed links by their keys. $1 keys.
-- include link-view
 WHERE links.pk = ANY($1::bigint[]) AND links.deleted_at IS NULL
