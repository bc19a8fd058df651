-- The links that GET /links lists, by user: deleted ones would be read and left out (native-api 3.4).
CREATE INDEX "links_listed_by_user" ON "links"("customer_user_pk", "pk") WHERE "connected_at" IS NOT NULL AND "deleted_at" IS NULL;
-- NULLS FIRST, although there are none: otherwise PostgreSQL may prefer the index above for the order by update, and sort all links of a user.
CREATE INDEX "links_listed_by_user_update" ON "links"("customer_user_pk" NULLS FIRST, "updated_at", "pk") WHERE "connected_at" IS NOT NULL AND "deleted_at" IS NULL;
