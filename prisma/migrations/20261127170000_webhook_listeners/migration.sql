-- AlterTable
ALTER TABLE "applications" ADD COLUMN     "live_listening" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "webhook_listeners" (
    "listener_id" TEXT NOT NULL,
    "app_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "webhook_events" TEXT[],
    "link_id" TEXT,
    "since" TIMESTAMPTZ(3),
    "starts_after" BIGINT NOT NULL,
    "last_called_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_listeners_pkey" PRIMARY KEY ("listener_id")
);

-- CreateIndex
CREATE INDEX "webhook_listeners_app_id_environment_idx" ON "webhook_listeners"("app_id", "environment");
