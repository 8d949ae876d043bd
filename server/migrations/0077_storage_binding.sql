-- Which directory of files belongs to this database: the id stands in a file there as well. Without it, a server that was
-- given the wrong database would take every file for one that nothing names.

create table storage_binding (
  -- There is one row at most.
  id boolean primary key default true check (id),
  storage_id text not null,
  -- By what a copy of that directory, or of the embedded database, is told from the original; null where nothing tells it.
  place text,
  -- Counts minutes in which a worker was alive. The directory holds the same number: a higher one there means that the
  -- database is an older state, or that another one uses the directory.
  beat bigint not null default 0,
  beat_token text not null default '',
  bound_at timestamptz(3) not null,
  -- How many files without a row the newest cleaning found and left, since there were too many; 0 where it left none.
  left_files integer not null default 0
);

-- Files whose rows this database has deleted: it takes their bytes off the disk later. A file that is neither here nor in
-- `files` was never this database's, as far as it knows.
create table deleted_files (
  id text collate "C" primary key,
  deleted_at timestamptz(3) not null default now()
);

create index deleted_files_at on deleted_files (deleted_at);

create function note_deleted_files() returns trigger language plpgsql as $$
begin
  insert into deleted_files (id) select id from gone on conflict (id) do nothing;
  return null;
end $$;

create trigger note_deleted_files after delete on files referencing old table as gone
  for each statement execute function note_deleted_files();
