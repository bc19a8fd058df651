-- What was last found for the living link $1, if its log has grown since; with the head of the log, and the time by the
-- clock of its world, null for real time.
SELECT search.link_pk, search.head_seq, search.day::text AS day, search.searched_at, search.last_place, search.streams,
       links.head_seq AS current_seq,
       CASE WHEN links.world_id <> 'default' THEN (SELECT world.now FROM sandbox_worlds world WHERE world.app_id = links.app_id AND world.world_id = links.world_id) END AS world_now
  FROM links
  JOIN recurring_searches search ON search.link_pk = links.pk
 WHERE links.link_id = $1::text AND links.deleted_at IS NULL AND search.head_seq < links.head_seq
