-- Claims at most $3 links of the world $1 whose notice of the end of their permission is due at $2, skipping locked ones.
SELECT pk FROM links
 WHERE world_id = $1::text AND end_notice_due_at <= $2::timestamptz
 ORDER BY end_notice_due_at LIMIT $3::int
   FOR NO KEY UPDATE SKIP LOCKED
