-- Sessions that ended between $1 and $2, by mode and end. With one bound the planner expects a
-- third of the table and starts parallel workers, which takes longer than reading the rows.
SELECT mode, end_reason AS "outcome", count(*)::int AS "sessions"
  FROM link_sessions
 WHERE ended_at > $1::timestamptz AND ended_at <= $2::timestamptz AND end_reason IS NOT NULL
 GROUP BY mode, end_reason
