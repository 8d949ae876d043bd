-- Which database this is: by this the server notices that it is a copy which was restored from a dump, where what was
-- withdrawn since the dump would work again.

create table database_identity (
  -- There is one row at most.
  id boolean primary key default true check (id),
  -- Of the Postgres installation; the same on its standbys.
  system_identifier text not null,
  -- Of the database, and of some of its tables: a restored table has another, one that pg_upgrade moved has the same.
  database_oid text not null,
  table_oids text not null,
  postgres_major integer not null
);
