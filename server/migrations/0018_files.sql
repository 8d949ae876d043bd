-- Files of engagements: what is known of each. The bytes lie below STORAGE_PATH, under the file's id.

create table files (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id),
  engagement_id text collate "C" not null,
  -- As the client named it: shown, and never part of a path.
  file_name text not null,
  -- Bytes.
  size bigint not null check (size > 0),
  -- Hexadecimal.
  sha256 text collate "C" not null,
  -- Told from the first bytes.
  media_type text collate "C" not null,
  -- The run that made it; null for an upload.
  run_id text collate "C",
  -- Null for a key: the audit log names it.
  created_by text collate "C" references users (id),
  created_at timestamptz(3) not null,
  unique (organization_id, id),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade
);

create index files_engagement on files (organization_id, engagement_id, id);
-- The sum of an organization is read from the index alone.
create index files_size on files (organization_id) include (size);
create index files_creator on files (created_by);
