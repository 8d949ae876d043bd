-- Saved API requests in folders, environments with secrets, and the runs and sequences of requests.

create table request_folders (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id) on delete cascade,
  -- Null: the folder belongs to the organization.
  engagement_id text collate "C",
  parent_id text collate "C",
  name text collate names not null,
  -- Without secrets, which are sealed in auth_secret.
  auth jsonb not null,
  auth_secret bytea,
  -- Hosts that the secrets may be sent to; null: every host that a request may be sent to.
  hosts text[],
  position text collate "C" not null check (octet_length(position) <= 400),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  trashed_at timestamptz(3),
  -- The request or folder whose deletion put the row in the trash: restoring a folder brings back what was deleted with it, and
  -- nothing that was deleted before.
  trash_root_id text collate "C",
  unique (organization_id, id),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade,
  foreign key (organization_id, parent_id) references request_folders (organization_id, id) on delete cascade,
  check ((trashed_at is null) = (trash_root_id is null))
);

create index request_folders_position on request_folders (organization_id, engagement_id, position, id);
create index request_folders_name on request_folders (organization_id, engagement_id, name, id);
create index request_folders_parent on request_folders (organization_id, parent_id, id);
-- The oldest deletions.
create index request_folders_trashed on request_folders (trashed_at) where trashed_at is not null;

create table api_requests (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id) on delete cascade,
  engagement_id text collate "C",
  folder_id text collate "C",
  name text collate names not null,
  description text not null,
  method text collate "C" not null,
  url text not null,
  -- Query, headers, body, auth without secrets, options, captures, assertions.
  definition jsonb not null,
  auth_secret bytea,
  counted_bytes integer not null default 0,
  position text collate "C" not null check (octet_length(position) <= 400),
  -- Null for an API key, which the audit log names.
  created_by text collate "C" references users (id),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  trashed_at timestamptz(3),
  -- As in request_folders.
  trash_root_id text collate "C",
  unique (organization_id, id),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade,
  foreign key (organization_id, folder_id) references request_folders (organization_id, id) on delete cascade,
  check ((trashed_at is null) = (trash_root_id is null))
);

create index api_requests_position on api_requests (organization_id, engagement_id, position, id);
create index api_requests_name on api_requests (organization_id, engagement_id, name, id);
create index api_requests_updated on api_requests (organization_id, engagement_id, updated_at, id);
create index api_requests_engagement on api_requests (organization_id, engagement_id, id);
create index api_requests_method on api_requests (organization_id, engagement_id, method, id);
create index api_requests_folder on api_requests (organization_id, folder_id, id);
create index api_requests_creator on api_requests (created_by) where created_by is not null;
create index api_requests_trashed on api_requests (trashed_at) where trashed_at is not null;

create trigger titles_of_gone after delete on api_requests referencing old table as gone
  for each statement execute function keep_last_titles('name');
create trigger title_of_trashed after update of trashed_at on api_requests for each row
  when (old.trashed_at is null and new.trashed_at is not null) execute function keep_title_of_trashed('name');

create function count_request() returns trigger language plpgsql as $$
begin
  new.counted_bytes := octet_length(new.description) + octet_length(new.url) + octet_length(new.definition::text) + coalesce(octet_length(new.auth_secret), 0);
  return new;
end $$;

create trigger count_bytes before insert or update of description, url, definition, auth_secret on api_requests
  for each row execute function count_request();
create trigger bytes_added after insert on api_requests referencing new table as added for each statement execute function bytes_added();
create trigger bytes_changed after update on api_requests for each row
  when (old.counted_bytes <> new.counted_bytes) execute function bytes_changed();
create trigger bytes_gone after delete on api_requests referencing old table as gone for each statement execute function bytes_gone();

create table request_environments (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id) on delete cascade,
  engagement_id text collate "C",
  name text collate names not null,
  -- A list of {name, value, secret}. The values of secrets are sealed in `secrets`, as one object.
  variables jsonb not null,
  secrets bytea,
  -- As in request_folders.
  hosts text[],
  proxy text,
  counted_bytes integer not null default 0,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (organization_id, id),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade
);

create index request_environments_engagement on request_environments (organization_id, engagement_id, id);
create index request_environments_name on request_environments (organization_id, engagement_id, name, id);

create function count_environment() returns trigger language plpgsql as $$
begin
  new.counted_bytes := octet_length(new.variables::text) + coalesce(octet_length(new.secrets), 0);
  return new;
end $$;

create trigger count_bytes before insert or update of variables, secrets on request_environments
  for each row execute function count_environment();
create trigger bytes_added after insert on request_environments referencing new table as added for each statement execute function bytes_added();
create trigger bytes_changed after update on request_environments for each row
  when (old.counted_bytes <> new.counted_bytes) execute function bytes_changed();
create trigger bytes_gone after delete on request_environments referencing old table as gone for each statement execute function bytes_gone();

-- Runs of all requests in a folder, in order.
create table request_sequences (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id) on delete cascade,
  engagement_id text collate "C",
  -- The sequence outlives the folder.
  folder_id text collate "C" not null,
  environment_id text collate "C",
  state text collate "C" not null check (state in ('running', 'succeeded', 'failed', 'cancelled')),
  reason text,
  done integer not null default 0,
  total integer not null,
  cancel_requested_at timestamptz(3),
  -- The process that runs it renews this. A time in the past means that the process has died.
  alive_until timestamptz(3) not null,
  -- Why the owner or an admin sends it without an engagement.
  override_reason text,
  started_by text collate "C" references users (id),
  created_at timestamptz(3) not null,
  ended_at timestamptz(3),
  unique (organization_id, id),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade
);

create index request_sequences_engagement on request_sequences (organization_id, engagement_id, id);
create index request_sequences_folder on request_sequences (organization_id, folder_id, id);
create index request_sequences_running on request_sequences (organization_id, alive_until) where state = 'running';
create index request_sequences_age on request_sequences (created_at);
create index request_sequences_starter on request_sequences (started_by) where started_by is not null;

create table request_runs (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id) on delete cascade,
  -- The engagement whose rules, testing hours and environments apply.
  engagement_id text collate "C",
  -- The run outlives the request, the environment and the sequence.
  request_id text collate "C",
  environment_id text collate "C",
  sequence_id text collate "C",
  state text collate "C" not null check (state in ('running', 'succeeded', 'failed', 'refused', 'cancelled')),
  reason text,
  method text collate "C" not null,
  -- Secrets are masked here and in all columns below.
  url text not null,
  request jsonb not null,
  hops jsonb not null default '[]',
  response jsonb,
  status integer,
  timing jsonb,
  assertions jsonb not null default '[]',
  captured jsonb,
  -- As received, after content decoding, up to the limit.
  body bytea,
  -- Where secrets of the request are in the body, so that findings show it masked: [[from, to], ...] in bytes, `to` is exclusive.
  -- Findings show no body for which this is null.
  body_secrets jsonb,
  counted_bytes integer not null default 0,
  pinned boolean not null default false,
  alive_until timestamptz(3) not null,
  -- Why the owner or an admin sends it without an engagement.
  override_reason text,
  -- Null for an API key, which the audit log names.
  started_by text collate "C" references users (id),
  created_at timestamptz(3) not null,
  ended_at timestamptz(3),
  unique (organization_id, id),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade
);

create index request_runs_engagement on request_runs (organization_id, engagement_id, id);
create index request_runs_request on request_runs (organization_id, request_id, id);
create index request_runs_sequence on request_runs (organization_id, sequence_id, id) where sequence_id is not null;
create index request_runs_state on request_runs (organization_id, engagement_id, state, id);
create index request_runs_starter on request_runs (organization_id, started_by, id);
create index request_runs_person on request_runs (started_by) where started_by is not null;
create index request_runs_running on request_runs (organization_id, alive_until) where state = 'running';
create index request_runs_age on request_runs (created_at) where not pinned;

create function count_run() returns trigger language plpgsql as $$
begin
  new.counted_bytes := octet_length(new.url) + octet_length(new.request::text) + octet_length(new.hops::text) + octet_length(new.assertions::text)
    + coalesce(octet_length(new.response::text), 0) + coalesce(octet_length(new.captured::text), 0) + coalesce(octet_length(new.body), 0);
  return new;
end $$;

create trigger count_bytes before insert or update of url, request, hops, response, assertions, captured, body on request_runs
  for each row execute function count_run();
create trigger bytes_added after insert on request_runs referencing new table as added for each statement execute function bytes_added();
create trigger bytes_changed after update on request_runs for each row
  when (old.counted_bytes <> new.counted_bytes) execute function bytes_changed();
create trigger bytes_gone after delete on request_runs referencing old table as gone for each statement execute function bytes_gone();

-- Requests that a separate process sends (REQUESTS_BY): its input and its outcome, sealed for the row. Rows exist only while
-- someone waits for the run.
create table request_handoffs (
  run_id text collate "C" primary key,
  organization_id text collate "C" not null,
  -- Of the run.
  engagement_id text collate "C",
  wanted bytea not null,
  taken_at timestamptz(3),
  cancel_requested_at timestamptz(3),
  outcome bytea,
  foreign key (organization_id, run_id) references request_runs (organization_id, id) on delete cascade,
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade
);

create index request_handoffs_run on request_handoffs (organization_id, run_id);
create index request_handoffs_engagement on request_handoffs (organization_id, engagement_id);
