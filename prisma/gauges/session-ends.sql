-- Sessions that ended after $1, by mode and end.
SELECT mode, end_reason AS "outcome", count(*)::int AS "sessions"
  FROM link_sessions
 WHERE ended_at > $1::timestamptz AND end_reason IS NOT NULL
 GROUP BY mode, end_reason
