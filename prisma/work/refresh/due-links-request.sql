-- Sets the next due times of locked links and requests the products that are due now: writes the
-- same rows as requestRefresh, for many links at once. A product that is waiting or being fetched
-- is merged (link-lifecycle 7.2).
-- One array per column of `plan`; $5 the fast products, $6 now, $7 the earliest time of each start
-- command.
WITH plan AS MATERIALIZED (
  SELECT pk, next_due_at, slow_due_at, ask, start_at, interval_ms, slow_interval_ms
    FROM unnest($1::bigint[], $2::timestamptz[], $3::timestamptz[], $4::text[], $7::timestamptz[], $8::bigint[], $9::bigint[])
      AS row(pk, next_due_at, slow_due_at, ask, start_at, interval_ms, slow_interval_ms)
),
asked AS (
  UPDATE link_products product
     SET state = CASE WHEN product.state IN ('pending', 'in_progress') THEN product.state ELSE 'pending' END,
         state_changed_at = CASE WHEN product.state IN ('pending', 'in_progress') THEN product.state_changed_at ELSE $6::timestamptz END
    FROM plan
   WHERE product.link_pk = plan.pk AND plan.ask <> 'nothing' AND product.granted
     -- Products that the institution does not offer follow the slow schedule; products that were
     -- never requested are due immediately.
     AND (plan.ask = 'all' OR product.state IS NULL OR (product.product = ANY($5::text[]) AND product.unavailable IS NULL))
  RETURNING product.link_pk, product.product
),
requested AS (
  INSERT INTO refresh_requests (link_pk, product, cause, created_at)
  SELECT link_pk, product, 'scheduled', $6::timestamptz FROM asked
),
moved AS (
  UPDATE links SET next_due_at = plan.next_due_at, slow_due_at = plan.slow_due_at, interval_ms = plan.interval_ms,
         slow_interval_ms = plan.slow_interval_ms
    FROM plan
   WHERE links.pk = plan.pk
  RETURNING links.pk, links.link_id, plan.start_at
),
started AS (
  INSERT INTO outbox_commands (kind, payload, available_at, created_at)
  SELECT 'startProductRefresh', jsonb_build_object('linkId', moved.link_id), moved.start_at, $6::timestamptz
    FROM moved
   WHERE EXISTS (SELECT 1 FROM asked WHERE asked.link_pk = moved.pk)
  RETURNING 1
)
SELECT count(*)::int AS asked FROM started
