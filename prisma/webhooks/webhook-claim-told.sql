-- $1 to $9 as in webhook-claim-visited, $10 endpoints. For those that were told of: finding out which endpoints have first
-- attempts waiting costs as much as the rest of the claim, and more while the index has entries of delivered ones.
WITH visited AS (
  SELECT endpoint FROM unnest($10::text[]) AS told (endpoint)
), journey AS (
  SELECT NULL::text AS last_endpoint
),
-- include webhook-claim-visited
