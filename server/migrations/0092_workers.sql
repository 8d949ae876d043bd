-- Operators notice that background jobs no longer run: each process that runs jobs writes its row every ten seconds, and
-- removes it when it stops. A row that is no longer written belongs to a process that died or hangs.
create table workers (
  -- Host and process id.
  name text collate "C" primary key,
  -- By the clock of the database: those of processes differ.
  beat_at timestamptz(3) not null default clock_timestamp()
);

-- The metrics count failures without reading the whole tables.
create index background_jobs_failed on background_jobs (ended_at) include (kind) where state = 'failed';
create index webhook_deliveries_failed on webhook_deliveries (created_at) where state = 'failed';
