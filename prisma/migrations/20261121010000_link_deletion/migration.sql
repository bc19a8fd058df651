-- CreateTable
CREATE TABLE "permission_revocations" (
    "revocation_id" TEXT NOT NULL,
    "link_pk" BIGINT NOT NULL,
    "provider" TEXT NOT NULL,
    "reference" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "last_attempt_at" TIMESTAMPTZ(3),
    "give_up_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "permission_revocations_pkey" PRIMARY KEY ("revocation_id")
);

-- CreateIndex
CREATE INDEX "permission_revocations_link_pk_idx" ON "permission_revocations"("link_pk");

-- CreateIndex
CREATE INDEX "permission_revocations_give_up_at_idx" ON "permission_revocations"("give_up_at");

-- AddForeignKey
ALTER TABLE "permission_revocations" ADD CONSTRAINT "permission_revocations_link_pk_fkey" FOREIGN KEY ("link_pk") REFERENCES "links"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- Links whose record ends (the purge).
CREATE INDEX "links_deleted" ON "links" ("deleted_at") WHERE "state" = 'deleted';
