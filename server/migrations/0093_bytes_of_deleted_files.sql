-- A job removes the bytes of deleted files from the disk, also after a crash: it finds them by these columns. Rows from before
-- have neither; the hourly cleaning takes their bytes.
alter table deleted_files
  -- The directory of the file below STORAGE_PATH: the id of its organization, which may be gone.
  add column directory text,
  -- Whether the bytes may still be there.
  add column has_bytes boolean not null default false;

create index deleted_files_with_bytes on deleted_files (id) where has_bytes;

create or replace function note_deleted_files() returns trigger language plpgsql as $$
begin
  -- After the restore of an older state, a file can be deleted a second time.
  insert into deleted_files (id, directory, has_bytes) select id, organization_id, true from gone
  on conflict (id) do update set directory = excluded.directory, has_bytes = true, deleted_at = now();
  return null;
end $$;
