-- When this database was last backed up: a metric and the instance page tell how long ago that was. The operator's command
-- writes it once a backup is complete.

create table last_backup (
  -- There is one row at most.
  id boolean primary key default true check (id),
  -- The database is restored as it was at this moment.
  taken_at timestamptz(3) not null,
  bytes bigint not null
);
