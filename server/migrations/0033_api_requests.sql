-- Saved API requests in folders, environments with secrets, and what was executed.

create table request_folders (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id) on delete cascade,
  -- Null: it belongs to the organization.
  engagement_id text collate "C",
  parent_id text collate "C",
  name text collate names not null,
  -- Without secrets; those are sealed beside it.
  auth jsonb not null,
  auth_secret bytea,
  position text collate "C" not null check (octet_length(position) <= 400),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (organization_id, id),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade,
  foreign key (organization_id, parent_id) references request_folders (organization_id, id) on delete cascade
);

create index request_folders_position on request_folders (organization_id, engagement_id, position, id);
create index request_folders_name on request_folders (organization_id, engagement_id, name, id);
create index request_folders_parent on request_folders (organization_id, parent_id, id);

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
  position text collate "C" not null check (octet_length(position) <= 400),
  -- Null for a key: the audit log names it.
  created_by text collate "C" references users (id),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (organization_id, id),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade,
  foreign key (organization_id, folder_id) references request_folders (organization_id, id) on delete cascade
);

create index api_requests_position on api_requests (organization_id, engagement_id, position, id);
create index api_requests_name on api_requests (organization_id, engagement_id, name, id);
create index api_requests_updated on api_requests (organization_id, engagement_id, updated_at, id);
create index api_requests_engagement on api_requests (organization_id, engagement_id, id);
create index api_requests_method on api_requests (organization_id, engagement_id, method, id);
create index api_requests_folder on api_requests (organization_id, folder_id, id);
create index api_requests_creator on api_requests (created_by) where created_by is not null;

create table request_environments (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id) on delete cascade,
  engagement_id text collate "C",
  name text collate names not null,
  -- A list of {name, value, secret}; the values of secrets are sealed beside it, as one object.
  variables jsonb not null,
  secrets bytea,
  proxy text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (organization_id, id),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade
);

create index request_environments_engagement on request_environments (organization_id, engagement_id, id);
create index request_environments_name on request_environments (organization_id, engagement_id, name, id);

create table request_sequences (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id) on delete cascade,
  engagement_id text collate "C",
  -- It outlives the folder.
  folder_id text collate "C" not null,
  environment_id text collate "C",
  state text collate "C" not null check (state in ('running', 'succeeded', 'failed', 'cancelled')),
  reason text,
  done integer not null default 0,
  total integer not null,
  cancel_requested_at timestamptz(3),
  -- A process that still does it moves this forward; one that is past has died.
  alive_until timestamptz(3) not null,
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
  -- Whose rules, hours and environments it had.
  engagement_id text collate "C",
  -- It outlives the request, the environment and the sequence.
  request_id text collate "C",
  environment_id text collate "C",
  sequence_id text collate "C",
  state text collate "C" not null check (state in ('running', 'succeeded', 'failed', 'refused', 'cancelled')),
  reason text,
  method text collate "C" not null,
  -- As all of the following masked.
  url text not null,
  request jsonb not null,
  hops jsonb not null default '[]',
  response jsonb,
  status integer,
  timing jsonb,
  assertions jsonb not null default '[]',
  captured jsonb,
  -- After content decoding, as received, up to the limit.
  body bytea,
  pinned boolean not null default false,
  alive_until timestamptz(3) not null,
  -- Null for a key: the audit log names it.
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
