-- DropIndex
DROP INDEX "links_customer_user_pk_idx";

-- AlterTable
ALTER TABLE "links" ADD COLUMN     "interval_ms" BIGINT,
ADD COLUMN     "slow_interval_ms" BIGINT,
ADD COLUMN     "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- CreateTable
CREATE TABLE "link_tags" (
    "app_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "tag" TEXT NOT NULL,
    "link_pk" BIGINT NOT NULL,

    CONSTRAINT "link_tags_pkey" PRIMARY KEY ("app_id","environment","tag","link_pk")
);

-- CreateIndex
CREATE INDEX "link_tags_link_pk_idx" ON "link_tags"("link_pk");

-- CreateIndex
CREATE INDEX "links_customer_user_pk_pk_idx" ON "links"("customer_user_pk", "pk");

-- AddForeignKey
ALTER TABLE "link_tags" ADD CONSTRAINT "link_tags_link_pk_fkey" FOREIGN KEY ("link_pk") REFERENCES "links"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- One index per filter of GET /links, of the links that it lists (native-api 3.4).
CREATE INDEX "links_listed" ON "links"("app_id", "environment", "pk") WHERE "connected_at" IS NOT NULL AND "deleted_at" IS NULL;
CREATE INDEX "links_listed_by_state" ON "links"("app_id", "environment", "state", "pk") WHERE "connected_at" IS NOT NULL AND "deleted_at" IS NULL;
CREATE INDEX "links_listed_by_error" ON "links"("app_id", "environment", "error_code", "pk") WHERE "connected_at" IS NOT NULL AND "deleted_at" IS NULL AND "error_code" IS NOT NULL;
CREATE INDEX "links_listed_by_institution" ON "links"("app_id", "environment", "institution_id", "pk") WHERE "connected_at" IS NOT NULL AND "deleted_at" IS NULL;
CREATE INDEX "links_listed_by_provider" ON "links"("app_id", "environment", "provider", "pk") WHERE "connected_at" IS NOT NULL AND "deleted_at" IS NULL;
CREATE INDEX "links_listed_by_update" ON "links"("app_id", "environment", "updated_at", "pk") WHERE "connected_at" IS NOT NULL AND "deleted_at" IS NULL;
CREATE INDEX "links_listed_by_error_update" ON "links"("app_id", "environment", "error_code", "updated_at", "pk") WHERE "connected_at" IS NOT NULL AND "deleted_at" IS NULL AND "error_code" IS NOT NULL;

-- What GET /links calls an update of a link. Refreshes of its data, which write this table several times each, are none.
CREATE FUNCTION "note_link_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.updated_at := CURRENT_TIMESTAMP;
  RETURN NEW;
END $$;
CREATE TRIGGER "links_note_update"
  BEFORE UPDATE OF "state", "error_code", "error_message", "provider", "institution_id", "tags", "webhook", "webhook_disabled_at", "permission_ends_at" ON "links"
  FOR EACH ROW
  WHEN ((OLD.state, OLD.error_code, OLD.error_message, OLD.provider, OLD.institution_id, OLD.tags, OLD.webhook, OLD.webhook_disabled_at, OLD.permission_ends_at)
        IS DISTINCT FROM (NEW.state, NEW.error_code, NEW.error_message, NEW.provider, NEW.institution_id, NEW.tags, NEW.webhook, NEW.webhook_disabled_at, NEW.permission_ends_at))
  EXECUTE FUNCTION "note_link_update"();

-- link_tags is an index of links.tags that can be read page by page, which no index of an array can.
CREATE FUNCTION "index_link_tags"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM link_tags WHERE link_pk = NEW.pk;
  IF NEW.connected_at IS NOT NULL AND NEW.deleted_at IS NULL THEN
    INSERT INTO link_tags (app_id, environment, tag, link_pk)
    SELECT DISTINCT NEW.app_id, NEW.environment, tag, NEW.pk FROM unnest(NEW.tags) AS tag;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "links_index_new_tags" AFTER INSERT ON "links" FOR EACH ROW WHEN (NEW.connected_at IS NOT NULL) EXECUTE FUNCTION "index_link_tags"();
CREATE TRIGGER "links_index_tags" AFTER UPDATE OF "tags", "connected_at", "deleted_at", "environment" ON "links" FOR EACH ROW
  WHEN ((OLD.tags, OLD.connected_at, OLD.deleted_at, OLD.environment) IS DISTINCT FROM (NEW.tags, NEW.connected_at, NEW.deleted_at, NEW.environment))
  EXECUTE FUNCTION "index_link_tags"();
