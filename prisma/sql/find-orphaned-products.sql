-- Products that a run took and left: under way for longer than any run lasts, and nobody waits for them.
-- $1 deadline of Sandbox links, $2 of Live links, $3 at most. The rows stay locked so that two sweepers share the work.
SELECT product.link_pk, product.product,
       coalesce((SELECT request.cause FROM refresh_requests request
                  WHERE request.link_pk = product.link_pk AND request.product = product.product
                  ORDER BY request.pk DESC LIMIT 1), 'prefetch') AS cause
  FROM link_products product
  JOIN links ON links.pk = product.link_pk
 WHERE product.state IN ('pending', 'in_progress') AND product.granted AND links.state <> 'deleted'
   AND greatest(product.state_changed_at, product.last_attempted_at)
       < CASE WHEN links.environment = 'sandbox' THEN $1::timestamptz ELSE $2::timestamptz END
   AND NOT EXISTS (
     SELECT 1 FROM refresh_requests waiting
      WHERE waiting.link_pk = product.link_pk AND waiting.product = product.product AND waiting.consumed_at IS NULL)
 ORDER BY product.link_pk
 LIMIT $3::int
   FOR UPDATE OF product SKIP LOCKED
