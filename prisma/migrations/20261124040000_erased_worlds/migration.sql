-- Sessions of a world that is deleted, and links whose rows are still to be removed.
CREATE INDEX "link_sessions_of_worlds" ON "link_sessions" ("app_id", "world_id") WHERE "world_id" <> 'default';
CREATE INDEX "links_erased" ON "links" ("pk") WHERE "environment" = 'erased';
