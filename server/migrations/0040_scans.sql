-- Scans, what they say while they run, and schedules that start them.

create table scans (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id),
  engagement_id text collate "C" not null,
  name text not null,
  -- As they were asked for.
  scanners jsonb not null,
  targets jsonb not null,
  -- Those that were chosen by that when the scan was asked for, in their order.
  target_ids text[] not null,
  out_of_scope text collate "C" not null check (out_of_scope in ('refuse', 'skip')),
  state text collate "C" not null default 'queued' check (state in ('queued', 'running', 'succeeded', 'partial', 'failed', 'cancelled')),
  state_reason text,
  -- Targets and addresses that were left out.
  skipped integer not null default 0,
  -- Computed from what was observed, when it ended.
  counts jsonb,
  trigger text collate "C" not null check (trigger in ('manual', 'schedule', 'key')),
  schedule_id text collate "C",
  override_reason text,
  requested_by text collate "C" references users (id),
  -- Who asked, also where it was a key: the operation log names it.
  actor_id text collate "C" not null,
  actor_name text not null,
  cancelled_by text,
  work_id text collate "C",
  created_at timestamptz(3) not null,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  unique (organization_id, engagement_id, id),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade,
  check ((state in ('queued', 'running')) = (finished_at is null))
);

create index scans_organization on scans (organization_id, id);
create index scans_created on scans (organization_id, engagement_id, id);
create index scans_state on scans (organization_id, engagement_id, state, id);
create index scans_schedule on scans (organization_id, schedule_id, id) where schedule_id is not null;

create table scan_log (
  scan_id text collate "C" not null,
  number integer not null,
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  at timestamptz(3) not null,
  level text collate "C" not null check (level in ('info', 'warning', 'error')),
  scanner text collate "C",
  text text not null,
  primary key (scan_id, number),
  foreign key (organization_id, engagement_id, scan_id) references scans (organization_id, engagement_id, id) on delete cascade
);

create index scan_log_engagement on scan_log (organization_id, engagement_id);

-- What a scan has sent and the operation log does not say yet: of an address and protocol in a minute, which may not be over.
create table scan_contacts (
  scan_id text collate "C" not null,
  address inet not null,
  protocol text collate "C" not null,
  minute timestamptz(3) not null,
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  source_address inet,
  host text collate "C",
  ports int4multirange not null,
  started_at timestamptz(3) not null,
  ended_at timestamptz(3) not null,
  primary key (scan_id, address, protocol, minute),
  foreign key (organization_id, engagement_id, scan_id) references scans (organization_id, engagement_id, id) on delete cascade
);

create index scan_contacts_engagement on scan_contacts (organization_id, engagement_id);

create table scan_schedules (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id),
  engagement_id text collate "C" not null,
  name text not null,
  cron text not null,
  time_zone text not null,
  scanners jsonb not null,
  targets jsonb not null,
  enabled boolean not null,
  next_run_at timestamptz(3),
  last_scan_id text collate "C",
  last_skipped_at timestamptz(3),
  last_skip_reason text,
  -- Whoever changed it last: it acts with their rights.
  actor_kind text collate "C" not null check (actor_kind in ('key', 'user')),
  actor_id text collate "C" not null,
  actor_name text not null,
  actor_address text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (organization_id, engagement_id, id),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade,
  check (enabled = (next_run_at is not null))
);

create index scan_schedules_organization on scan_schedules (organization_id, id);
create index scan_schedules_created on scan_schedules (organization_id, engagement_id, id);
create index scan_schedules_due on scan_schedules (next_run_at) where enabled;

-- Scanners also look at records of a name, at what a URL answers, and at the certificate that a port shows.
alter table coverages
  -- The type of the records, the URL, or the name by which the certificate was asked (null: by none).
  add column detail text,
  drop constraint coverages_what_check,
  add constraint coverages_what_check check (what in ('host', 'ports', 'records', 'url', 'certificate', 'vulnerabilities', 'rule', 'everything'));
