-- CreateTable
CREATE TABLE "account_balances" (
    "account_pk" BIGINT NOT NULL,
    "day" DATE NOT NULL,
    "currency" TEXT NOT NULL,
    "available" DECIMAL,
    "current" DECIMAL,
    "limit" DECIMAL,
    "balance_date" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "account_balances_pkey" PRIMARY KEY ("account_pk","day")
);

-- AddForeignKey
ALTER TABLE "account_balances" ADD CONSTRAINT "account_balances_account_pk_fkey" FOREIGN KEY ("account_pk") REFERENCES "accounts"("pk") ON DELETE CASCADE ON UPDATE CASCADE;
