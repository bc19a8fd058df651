-- Entries that the provider no longer lists lose their routes. Routes that did not come from a list
-- stay.
-- $1 provider, $2 remote ids, $3 now
WITH gone AS (
  UPDATE catalog_entries SET gone_since = $3::timestamptz
   WHERE provider = $1::text AND remote_id = ANY ($2::text[])
  RETURNING institution_id, remote_id)
DELETE FROM institution_routes route USING gone
 WHERE route.provider = $1::text AND route.remote_id = gone.remote_id
