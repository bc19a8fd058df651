-- Links by their keys. $1 keys, $2 whether deleted ones are among them: otherwise one that was
-- deleted since its key was read is left out.
-- include link-view
 WHERE links.pk = ANY($1::bigint[]) AND ($2::boolean OR links.deleted_at IS NULL)
