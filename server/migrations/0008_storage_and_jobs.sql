-- Stored files and the bytes that each organization stores, replies kept for repeated requests, and long-running jobs.

-- Bytes that an organization stores, in files and in large rows. The limit of its storage counts both (finding T17): without
-- it one member could fill the disk with wiki pages, request runs and kept replies.
--
-- Each change of the sum inserts a row, so that no writer waits for another; an hourly job adds the rows up.
create table stored_bytes (
  organization_id text collate "C" not null,
  bytes bigint not null
);

create index stored_bytes_organization on stored_bytes (organization_id) include (bytes);

-- Triggers of tables whose rows count. Such a table keeps in counted_bytes what was counted for the row, so that its
-- deletion subtracts the same number: the size of a compressed value differs.
create function bytes_added() returns trigger language plpgsql as $$
begin
  insert into stored_bytes (organization_id, bytes) select organization_id, sum(counted_bytes) from added group by organization_id having sum(counted_bytes) <> 0;
  return null;
end $$;

create function bytes_changed() returns trigger language plpgsql as $$
begin
  insert into stored_bytes (organization_id, bytes) values (new.organization_id, new.counted_bytes - old.counted_bytes);
  return null;
end $$;

create function bytes_gone() returns trigger language plpgsql as $$
begin
  insert into stored_bytes (organization_id, bytes) select organization_id, -sum(counted_bytes) from gone group by organization_id having sum(counted_bytes) <> 0;
  return null;
end $$;

-- Metadata of files. The content is in STORAGE_PATH, under the id of the file.
create table files (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id),
  -- Null for files of the organization.
  engagement_id text collate "C",
  owner_type text collate "C" not null check (owner_type in (
    'engagement', 'result', 'import', 'task', 'page', 'request', 'client', 'finding', 'library_entry', 'report', 'report_template',
    'report_render', 'report_edition')),
  -- No foreign key, because the owner is in one of several tables: code that deletes an owner deletes the rows of its files.
  owner_id text collate "C" not null,
  -- As the client named it, for display; never part of a path.
  file_name text not null,
  -- What the file shows; empty without a caption.
  caption text not null default '',
  -- Place among the files of its owner, from 0. Null until the files are put in order: such files come last, oldest first.
  position integer,
  -- Bytes.
  size bigint not null check (size > 0),
  counted_bytes bigint generated always as (size) stored,
  -- Hexadecimal.
  sha256 text collate "C" not null,
  -- Detected from the first bytes.
  media_type text collate "C" not null,
  -- The run that created the file; null for an upload.
  run_id text collate "C",
  -- Null for an API key, which the audit log names.
  created_by text collate "C" references users (id),
  created_at timestamptz(3) not null,
  unique (organization_id, id),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade
);

-- An index-only scan adds up the sizes of an organization.
create index files_size on files (organization_id) include (size);
create index files_creator on files (created_by);
create index files_owner on files (organization_id, owner_type, owner_id, id);
create index files_engagement on files (organization_id, engagement_id);

create trigger bytes_added after insert on files referencing new table as added for each statement execute function bytes_added();
create trigger bytes_gone after delete on files referencing old table as gone for each statement execute function bytes_gone();

-- Files whose rows are deleted; their content is removed from the disk later. A file that is neither here nor in `files`
-- never belonged to this database, as far as it knows.
create table deleted_files (
  id text collate "C" primary key,
  deleted_at timestamptz(3) not null default now(),
  -- The directory of the file below STORAGE_PATH: the id of its organization, which may be gone.
  directory text,
  -- Whether the bytes may still be there. A job removes them, also after a crash: it finds them by these columns.
  has_bytes boolean not null default false
);

create index deleted_files_at on deleted_files (deleted_at);
create index deleted_files_with_bytes on deleted_files (id) where has_bytes;

create function note_deleted_files() returns trigger language plpgsql as $$
begin
  -- After the restore of an older state, a file can be deleted a second time.
  insert into deleted_files (id, directory, has_bytes) select id, organization_id, true from gone
  on conflict (id) do update set directory = excluded.directory, has_bytes = true, deleted_at = now();
  return null;
end $$;

create trigger note_deleted_files after delete on files referencing old table as gone
  for each statement execute function note_deleted_files();

-- Redacted pictures: another file is shown wherever a text refers to the original.
create table file_redactions (
  -- The original. No foreign key: texts name it after it was deleted as well.
  file_id text collate "C" primary key,
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  -- The file that is shown, which is never a redacted one. Null once it was deleted: the original stays sealed.
  redacted_by text collate "C",
  -- Null for an API key, which the audit log names.
  created_by text collate "C" references users (id),
  created_at timestamptz(3) not null,
  unique (organization_id, file_id),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade,
  foreign key (organization_id, redacted_by) references files (organization_id, id) on delete set null (redacted_by)
);

create index file_redactions_engagement on file_redactions (organization_id, engagement_id);
create index file_redactions_shown on file_redactions (organization_id, redacted_by) where redacted_by is not null;
create index file_redactions_creator on file_redactions (created_by);

-- Replies to requests with an Idempotency-Key: a repeated request gets the first reply again. A row commits with the change
-- that it confirms, and is deleted after 24 hours.
create table idempotency_keys (
  organization_id text collate "C" not null references organizations (id),
  api_key_id text collate "C" not null,
  -- As the client chose it.
  key text collate "C" not null,
  -- HMAC of method, path, query and body, so that the request cannot be guessed from it.
  request_hash bytea not null,
  -- Null, as the reply is, between the start of a request whose effect cannot be rolled back and its reply. If the reply
  -- never comes, the outcome is unknown.
  status smallint check (status between 200 and 299),
  -- The body, sealed with AES-256-GCM for this row.
  answer bytea,
  counted_bytes integer not null default 0,
  -- A reply about an engagement is repeated only to callers who still see the engagement. No foreign key: the row is
  -- short-lived, whatever happens to the engagement.
  about_engagement_id text collate "C",
  created_at timestamptz(3) not null,
  primary key (organization_id, api_key_id, key),
  -- A deleted key has no replies to repeat.
  foreign key (organization_id, api_key_id) references api_keys (organization_id, id) on delete cascade,
  check ((status is null) = (answer is null))
);

create index idempotency_keys_age on idempotency_keys (created_at);

create function count_answer() returns trigger language plpgsql as $$
begin
  -- Null while the request is in progress.
  new.counted_bytes := coalesce(octet_length(new.answer), 0);
  return new;
end $$;

create trigger count_bytes before insert or update of answer on idempotency_keys for each row execute function count_answer();
create trigger bytes_added after insert on idempotency_keys referencing new table as added for each statement execute function bytes_added();
create trigger bytes_changed after update on idempotency_keys for each row
  when (old.counted_bytes <> new.counted_bytes) execute function bytes_changed();
create trigger bytes_gone after delete on idempotency_keys referencing old table as gone for each statement execute function bytes_gone();

-- Jobs that take longer than a reply: imports, scans, exports, removals. One row each, with state and progress; the job
-- queue drives it. The rows of features hold what the job is about and refer to it by id.
create table background_jobs (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id) on delete cascade,
  -- Null for a job of the organization, and for one that outlives the engagement, such as its removal.
  engagement_id text collate "C",
  kind text collate "C" not null,
  -- The row of the feature that the job is about.
  subject_id text collate "C" not null,
  -- Who requested it; null for the server itself.
  actor_kind text collate "C" check (actor_kind in ('key', 'user')),
  actor_id text collate "C",
  actor_name text,
  actor_address text collate "C",
  state text collate "C" not null default 'queued' check (state in ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
  -- Why it failed or was cancelled: a sentence for people.
  reason text,
  done bigint not null default 0,
  -- The largest `done` of any attempt. Some kinds start at 0 each time: an attempt made progress if it got further than all
  -- before.
  furthest bigint not null default 0,
  -- Null while it is unknown.
  total bigint,
  -- The process that runs it, as host and process id.
  worker text collate "C",
  -- Number of workers that have started it: writes of an earlier one are refused.
  attempt integer not null default 0,
  -- Consecutive attempts that ended without progress.
  failures integer not null default 0,
  cancel_requested_at timestamptz(3),
  -- The job in the queue.
  job_id uuid,
  created_at timestamptz(3) not null,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  unique (organization_id, id),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade,
  check ((actor_kind is null) = (actor_id is null)),
  check ((ended_at is null) = (state in ('queued', 'running')))
);

create index background_jobs_engagement on background_jobs (organization_id, engagement_id);
create index background_jobs_subject on background_jobs (organization_id, subject_id);
create index background_jobs_unended on background_jobs (id) where ended_at is null;
-- The metrics count failures without reading the whole table.
create index background_jobs_failed on background_jobs (ended_at) include (kind) where state = 'failed';
create index background_jobs_ended on background_jobs (ended_at) where engagement_id is null and ended_at is not null;

-- Remaining work of cloned engagements that take longer than one reply to copy.
create table engagement_clones (
  -- The copy.
  engagement_id text collate "C" primary key,
  organization_id text collate "C" not null,
  -- The original. No foreign key: it may be deleted before the copy is complete.
  source_id text collate "C" not null,
  work_id text collate "C" not null,
  -- Parts that are left to copy, the current one first, and the position in it.
  parts text[] not null,
  after text,
  pieces integer not null default 0,
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade
);

create index engagement_clones_organization on engagement_clones (organization_id, engagement_id);

-- Each process that runs jobs writes its row every ten seconds, and removes it when it stops. A row that is no longer
-- written belongs to a process that died or hangs.
create table workers (
  -- Host and process id.
  name text collate "C" primary key,
  -- By the clock of the database: those of processes differ.
  beat_at timestamptz(3) not null default clock_timestamp()
);
