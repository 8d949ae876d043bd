-- What is known of a client's systems: one living inventory for each engagement, fed by imports, scans and people.

create table results (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id),
  engagement_id text collate "C" not null,
  kind text collate "C" not null check (kind in (
    'host', 'dns_record', 'service', 'http_response', 'tls_certificate', 'web_path', 'technology', 'vulnerability', 'component')),
  -- SHA-256, in hexadecimal, of a versioned canonical tuple. Null: written by hand, and like no other.
  identity text collate "C",
  -- One line: 10.0.0.5:443/tcp.
  asset text not null,
  -- Addresses in the order of addresses, then everything else by its text; compared bytewise, at most 400 bytes.
  asset_key text collate "C" not null,
  -- Canonical address or name; null for what is about none.
  host text collate "C",
  protocol text collate "C",
  port integer check (port between 1 and 65535),
  target_id text collate "C",
  title text not null,
  -- info, low, medium, high, critical
  severity smallint check (severity between 0 and 4),
  -- A person set it: no tool changes it any more.
  is_severity_set boolean not null default false,
  -- Of vulnerabilities alone.
  status text collate "C" check (status in ('open', 'confirmed', 'false_positive', 'accepted', 'fixed')),
  state text collate "C" not null default 'present' check (state in ('present', 'gone')),
  -- By kind, without what can be large.
  data jsonb not null default '{}',
  -- request, response, evidence, scripts, banner: left out of lists.
  large_data jsonb not null default '{}',
  -- Tools that saw it.
  tools text[] not null default '{}',
  tags text[] not null default '{}',
  assignee_id text collate "C",
  notes text not null default '',
  accepted_until date,
  reopened_at timestamptz(3),
  includes text[] not null default '{}',
  retest_of text collate "C",
  first_seen_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  -- When a tool last said something of it: that it is there, or not any more. Older words change nothing.
  evidence_at timestamptz(3) not null,
  -- When a person last changed the status, and anything at all.
  status_changed_at timestamptz(3),
  edited_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (organization_id, engagement_id, id),
  unique (organization_id, engagement_id, identity),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade,
  check ((status is null) = (kind <> 'vulnerability'))
);

create index results_organization on results (organization_id, id);
create index results_created on results (organization_id, engagement_id, id);
create index results_kind on results (organization_id, engagement_id, kind, id);
create index results_state on results (organization_id, engagement_id, state, id);
create index results_status on results (organization_id, engagement_id, status, id) where status is not null;
create index results_severity on results (organization_id, engagement_id, (coalesce(severity, -1)), id);
create index results_asset on results (organization_id, engagement_id, asset_key, id);
create index results_first_seen on results (organization_id, engagement_id, first_seen_at, id);
create index results_last_seen on results (organization_id, engagement_id, last_seen_at, id);
create index results_host on results (organization_id, engagement_id, host, kind) where host is not null;
create index results_port on results (organization_id, engagement_id, port, id) where port is not null;
create index results_target on results (organization_id, engagement_id, target_id, id) where target_id is not null;
create index results_assignee on results (organization_id, engagement_id, assignee_id, id) where assignee_id is not null;
create index results_accepted on results (accepted_until) where status = 'accepted' and accepted_until is not null;

-- Each sighting by an import, a scan or a person, with what was different. Counts are made from these rows, and what they
-- hold takes a source back exactly.
create table observations (
  -- The order in which they were written.
  sequence bigint generated always as identity,
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  result_id text collate "C" not null,
  source_kind text collate "C" not null check (source_kind in ('import', 'scan', 'person')),
  source_id text collate "C" not null,
  change text collate "C" not null check (change in ('created', 'unchanged', 'changed', 'gone', 'reappeared', 'older')),
  seen_at timestamptz(3) not null,
  -- Fields that this source has said: what it says later of the same thing adds to them.
  said text[] not null default '{}',
  -- The result before and after; null where it is the same.
  before jsonb,
  after jsonb,
  previous_seen_at timestamptz(3),
  previous_evidence_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (source_id, result_id),
  foreign key (organization_id, engagement_id, result_id) references results (organization_id, engagement_id, id) on delete cascade
);

create index observations_result on observations (organization_id, result_id, sequence);
create index observations_source on observations (organization_id, source_id, change, sequence);
create index observations_changes on observations (organization_id, engagement_id, seen_at, source_id, sequence) where change not in ('unchanged', 'older');

-- What an import or a scan looked at: what was there and is not shown is gone.
create table coverages (
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  source_id text collate "C" not null,
  what text collate "C" not null check (what in ('host', 'ports', 'vulnerabilities', 'rule', 'everything')),
  -- Null: every host of the engagement.
  host text collate "C",
  protocol text collate "C",
  ports int4multirange,
  rule_id text,
  location text,
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade
);

create index coverages_source on coverages (organization_id, source_id, host);
create index coverages_engagement on coverages (organization_id, engagement_id);

create table imports (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id),
  engagement_id text collate "C" not null,
  file_name text not null,
  -- The stored bytes, under this id; null for a file without any, and once it is deleted.
  file_id text collate "C",
  -- Bytes.
  size bigint not null,
  -- Of the uploaded bytes, in hexadecimal.
  sha256 text collate "C" not null,
  -- As it was asked for; `format` is what the bytes say.
  wanted_format text collate "C" not null,
  format text collate "C",
  tool_version text,
  mode text collate "C" not null check (mode in ('apply', 'preview')),
  state text collate "C" not null default 'received' check (state in ('received', 'parsing', 'previewed', 'applied', 'partial', 'failed', 'undone')),
  state_reason text,
  -- fullRescan, outOfScope, covered, mapping, as they were asked for.
  options jsonb not null,
  -- When it was seen; null until the import begins, unless it was said.
  seen_at timestamptz(3),
  -- What it did, computed from its observations when it ended.
  counts jsonb,
  rejected integer not null default 0,
  out_of_scope integer not null default 0,
  warnings text[] not null default '{}',
  duplicate_of text collate "C",
  work_id text collate "C",
  -- Null for a key: the audit log names it.
  created_by text collate "C" references users (id),
  created_at timestamptz(3) not null,
  finished_at timestamptz(3),
  unique (organization_id, engagement_id, id),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade
);

create index imports_organization on imports (organization_id, id);
create index imports_state on imports (organization_id, engagement_id, state, id);
create index imports_format on imports (organization_id, engagement_id, format, id);
create index imports_same on imports (organization_id, engagement_id, sha256, id);
create index imports_file on imports (file_id) where file_id is not null;
create index imports_creator on imports (created_by);

-- Pieces of a file that are no result, in the order of the file.
create table import_rejections (
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  import_id text collate "C" not null,
  number integer not null,
  position text not null,
  excerpt text not null,
  reason text not null,
  primary key (import_id, number),
  foreign key (organization_id, engagement_id, import_id) references imports (organization_id, engagement_id, id) on delete cascade
);

create index import_rejections_import on import_rejections (organization_id, engagement_id, import_id, number);

-- What a preview found: what applying it would do with each result.
create table import_previews (
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  import_id text collate "C" not null,
  identity text collate "C" not null,
  change text collate "C" not null,
  host text collate "C",
  primary key (import_id, identity),
  foreign key (organization_id, engagement_id, import_id) references imports (organization_id, engagement_id, id) on delete cascade
);

create index import_previews_import on import_previews (organization_id, engagement_id, import_id);

-- Targets that an import made or met.
create table import_targets (
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  import_id text collate "C" not null,
  -- Canonical.
  host text collate "C" not null,
  target_id text collate "C",
  is_new boolean not null,
  primary key (import_id, host),
  foreign key (organization_id, engagement_id, import_id) references imports (organization_id, engagement_id, id) on delete cascade
);

create index import_targets_import on import_targets (organization_id, engagement_id, import_id);
