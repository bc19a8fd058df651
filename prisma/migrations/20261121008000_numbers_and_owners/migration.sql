-- CreateTable
CREATE TABLE "account_numbers" (
    "account_pk" BIGINT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "account_numbers_pkey" PRIMARY KEY ("account_pk")
);

-- CreateTable
CREATE TABLE "account_owners" (
    "account_pk" BIGINT NOT NULL,
    "position" INTEGER NOT NULL,
    "body" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "account_owners_pkey" PRIMARY KEY ("account_pk","position")
);

-- AddForeignKey
ALTER TABLE "account_numbers" ADD CONSTRAINT "account_numbers_account_pk_fkey" FOREIGN KEY ("account_pk") REFERENCES "accounts"("pk") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account_owners" ADD CONSTRAINT "account_owners_account_pk_fkey" FOREIGN KEY ("account_pk") REFERENCES "accounts"("pk") ON DELETE CASCADE ON UPDATE CASCADE;
