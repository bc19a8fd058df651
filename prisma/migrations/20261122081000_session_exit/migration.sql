-- Where the user of a session of the compatibility layer left it (plaid-compat 7, /link/token/get).
ALTER TABLE "link_sessions" ADD COLUMN "plaid_exit" JSONB;
