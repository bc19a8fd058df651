-- CreateTable
CREATE TABLE "notification_channels" (
    "pk" INTEGER NOT NULL DEFAULT 1,
    "suffix" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notification_channels_pkey" PRIMARY KEY ("pk")
);

ALTER TABLE "notification_channels" ADD CONSTRAINT "notification_channels_one" CHECK ("pk" = 1);

INSERT INTO "notification_channels" ("suffix") VALUES (replace(gen_random_uuid()::text, '-', ''));
