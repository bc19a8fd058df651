-- Takes at most $3 links of the world $1 whose client is to be told by $2 that the permission will end; those others work on are left to them.
SELECT pk FROM links
 WHERE world_id = $1::text AND end_notice_due_at <= $2::timestamptz
 ORDER BY end_notice_due_at LIMIT $3::int
   FOR NO KEY UPDATE SKIP LOCKED
