-- DropIndex
DROP INDEX "link_sessions_customer_user_pk_idx";

-- DropIndex
DROP INDEX "link_sessions_link_pk_idx";

-- One index per filter of GET /link-sessions, in the order of its list (native-api 3.3). Those by user and link replace the two above.
-- CreateIndex
CREATE INDEX "link_sessions_listed" ON "link_sessions"("app_id", "environment", "created_at", "session_id");

-- CreateIndex
CREATE INDEX "link_sessions_listed_by_state" ON "link_sessions"("app_id", "environment", "state", "created_at", "session_id");

-- CreateIndex
CREATE INDEX "link_sessions_listed_by_institution" ON "link_sessions"("app_id", "environment", "institution_id", "created_at", "session_id");

-- CreateIndex
CREATE INDEX "link_sessions_listed_by_user" ON "link_sessions"("customer_user_pk", "created_at", "session_id");

-- CreateIndex
CREATE INDEX "link_sessions_listed_by_link" ON "link_sessions"("link_pk", "created_at", "session_id");
