-- Databases and roles of Tributary and Temporal, for psql and a superuser (or a role with CREATEROLE and CREATEDB):
--   SECRETS=/path/of/the/password/files psql --dbname=postgres --file=roles.sql
-- Safe to repeat: existing roles get their passwords and rights again. Other names: --set=owner=… and so on.
\set ON_ERROR_STOP on

\if :{?database} \else \set database tributary \endif
\if :{?owner} \else \set owner tributary \endif
\if :{?service} \else \set service tributary_service \endif
\if :{?bank} \else \set bank sandbox_bank \endif
\if :{?temporal} \else \set temporal temporal \endif
\if :{?visibility} \else \set visibility temporal_visibility \endif

\set owner_password `cat "$SECRETS/owner_password"`
\set service_password `cat "$SECRETS/service_password"`
\set bank_password `cat "$SECRETS/sandbox_bank_password"`
\set temporal_password `cat "$SECRETS/temporal_password"`

-- The name of a superuser is refused before any change: setting a password would not reduce its rights.
SELECT string_agg(rolname, ', ') AS superusers FROM pg_roles
 WHERE rolsuper AND rolname IN (:'owner', :'service', :'bank', :'temporal') \gset
\if :{?superusers}
  SELECT format('DO %L', format('BEGIN RAISE EXCEPTION %L; END',
    :'superusers' || ' is a superuser: choose another name, such as --set=owner=tributary_owner')) \gexec
\endif

-- Roles: none may create roles or databases, and none is a member of another.
SELECT format('CREATE ROLE %I', name) FROM unnest(ARRAY[:'owner', :'service', :'bank', :'temporal']) AS name
 WHERE NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = name) \gexec
ALTER ROLE :"owner" LOGIN PASSWORD :'owner_password';
ALTER ROLE :"service" LOGIN PASSWORD :'service_password';
ALTER ROLE :"bank" LOGIN PASSWORD :'bank_password';
ALTER ROLE :"temporal" LOGIN PASSWORD :'temporal_password';

-- Databases: their owner may create the extensions that the migrations need (pg_trgm; btree_gin for Temporal).
-- A caller that is not a superuser must be a member of a role to give it a database.
SELECT format('GRANT %I TO %I', name, current_user) FROM unnest(ARRAY[:'owner', :'temporal', :'bank']) AS name
 WHERE NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) \gexec
SELECT format('CREATE DATABASE %I OWNER %I TEMPLATE template0 ENCODING ''UTF8''', name, holder)
  FROM (VALUES (:'database', :'owner'), (:'temporal', :'temporal'), (:'visibility', :'temporal')) AS wanted (name, holder)
 WHERE NOT EXISTS (SELECT 1 FROM pg_database WHERE datname = name) \gexec
REVOKE ALL ON DATABASE :"database", :"temporal", :"visibility" FROM PUBLIC;
GRANT CONNECT ON DATABASE :"database" TO :"service", :"bank";

\connect :"database"

-- The service reads and writes rows, of today's tables and of those that later migrations make. It cannot change table definitions.
GRANT USAGE ON SCHEMA public TO :"service";
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO :"service";
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO :"service";
ALTER DEFAULT PRIVILEGES FOR ROLE :"owner" IN SCHEMA public
  GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO :"service";
ALTER DEFAULT PRIVILEGES FOR ROLE :"owner" IN SCHEMA public
  GRANT USAGE, SELECT ON SEQUENCES TO :"service";

-- The record of operators' actions only accepts inserts. The migration that creates it revokes the same rights.
SELECT format('REVOKE UPDATE, DELETE ON operator_actions FROM %I', :'service')
 WHERE to_regclass('public.operator_actions') IS NOT NULL \gexec

-- The sandbox bank owns one schema, and sees nothing else. The rights that PostgreSQL grants to everyone would reach
-- the locks, notifications and disk of the service: only the service keeps them. Functions of PostgreSQL belong to a
-- superuser, so another caller changes nothing here, and is warned.
SELECT format('GRANT EXECUTE ON FUNCTION %s TO %I, %I', oid::regprocedure, :'owner', :'service'),
       format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', oid::regprocedure)
  FROM pg_proc
 WHERE pronamespace = 'pg_catalog'::regnamespace
   AND proname ~ '^(pg_(try_)?advisory_.*|pg_notify|lo_.*|loread|lowrite)$'
   AND pg_has_role(proowner, 'USAGE') \gexec
SELECT format('DO %L', format('BEGIN RAISE WARNING %L; END', :'bank' || ' keeps advisory locks, large objects and'
    ' pg_notify: let a superuser run this file')) AS note
 WHERE has_function_privilege(:'bank', 'pg_advisory_lock(bigint)', 'EXECUTE') \gexec
SELECT format('CREATE SCHEMA sandbox_bank AUTHORIZATION %I', :'bank')
 WHERE to_regnamespace('sandbox_bank') IS NULL \gexec
