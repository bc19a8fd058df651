-- Links whose scheduled refresh is due, longest overdue first; skips those locked by another transaction. $1
-- now, $2 world, $3 shard, $4 number of shards, $5 limit.
SELECT pk::text, institution_id, provider, slow_due_at
  FROM links
 WHERE world_id = $2 AND next_due_at <= $1::timestamptz AND pk % $4::int = $3::int
 ORDER BY next_due_at
 LIMIT $5::int
   FOR NO KEY UPDATE SKIP LOCKED
