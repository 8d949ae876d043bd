-- Imports, scans and their schedules, and the operation log of everything sent to the network.

create table imports (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id),
  engagement_id text collate "C" not null,
  file_name text not null,
  -- The stored file, whose content has the same id; null for an import without a file and after the file is deleted.
  file_id text collate "C",
  -- Bytes.
  size bigint not null,
  -- Of the uploaded bytes, in hexadecimal.
  sha256 text collate "C" not null,
  -- As requested. `format` is what the content turned out to be.
  wanted_format text collate "C" not null,
  format text collate "C",
  -- The program that wrote the file, if the file names it: many programs write some of the formats.
  tool text,
  tool_version text,
  mode text collate "C" not null check (mode in ('apply', 'preview')),
  state text collate "C" not null default 'received' check (state in ('received', 'parsing', 'previewed', 'applied', 'partial', 'failed', 'undone')),
  state_reason text,
  -- fullRescan, outOfScope, covered, mapping, as requested.
  options jsonb not null,
  -- When the results were seen. Null until the import starts, unless the request says it.
  seen_at timestamptz(3),
  -- Computed from the observations at the end.
  counts jsonb,
  rejected integer not null default 0,
  out_of_scope integer not null default 0,
  warnings text[] not null default '{}',
  duplicate_of text collate "C",
  work_id text collate "C",
  -- Null for an API key, which the audit log names.
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

-- Parts of a file that are not valid results, in the order of the file.
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

-- The outcome of a preview: what applying it would do to each result.
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

-- Targets that an import created or found.
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

create table scans (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id),
  engagement_id text collate "C" not null,
  name text not null,
  -- As requested.
  scanners jsonb not null,
  targets jsonb not null,
  -- The targets that this selected at the time of the request, in their order.
  target_ids text[] not null,
  out_of_scope text collate "C" not null check (out_of_scope in ('refuse', 'skip')),
  state text collate "C" not null default 'queued' check (state in ('queued', 'running', 'succeeded', 'partial', 'failed', 'cancelled')),
  state_reason text,
  -- Number of targets and addresses that were left out.
  skipped integer not null default 0,
  -- For a scan of a diff: by target, the services that differ, and whether the host itself does.
  diff_services jsonb,
  -- Computed from the observations at the end.
  counts jsonb,
  trigger text collate "C" not null check (trigger in ('manual', 'schedule', 'key')),
  schedule_id text collate "C",
  -- The retest that started it: it may run in a completed engagement while the retest does.
  retest_id text collate "C",
  override_reason text,
  requested_by text collate "C" references users (id),
  -- Who requested it, including an API key: the operation log names it.
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
-- Each start of a scan counts how many scans of the organization are queued.
create index scans_queued on scans (organization_id) where state = 'queued';

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

-- What a scan has sent to an address by a protocol within a minute and has not yet written to the operation log. The minute
-- may still be running.
create table scan_probes (
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

create index scan_probes_engagement on scan_probes (organization_id, engagement_id);

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
  -- The user or API key that changed the schedule last: its scans run with the rights of this actor.
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

-- The operation log: what was sent to the network, when, from where, to where, and by whom. Rows are added and never
-- changed, so that "was that us?" has one answer.
create table operation_log_entries (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id),
  -- Null for requests that the owner or an admin sends without an engagement.
  engagement_id text collate "C",
  kind text collate "C" not null check (kind in ('scan', 'request', 'import', 'manual', 'run')),
  -- What sent it. No foreign keys, because the log outlives these rows.
  scan_id text collate "C",
  run_id text collate "C",
  import_id text collate "C",
  started_at timestamptz(3) not null,
  ended_at timestamptz(3) check (ended_at >= started_at),
  -- Single addresses, so that they sort between the first and the last address of a network.
  source_address inet check (masklen(source_address) = case family(source_address) when 4 then 32 else 128 end),
  address inet check (masklen(address) = case family(address) when 4 then 32 else 128 end),
  -- The requested name, in lower case.
  host text collate "C",
  port integer check (port between 1 and 65535),
  -- Several ports, as ranges: 22,80,8000-8100.
  ports text,
  protocol text collate "C",
  -- The user or API key, with the name at that time; null if unknown.
  actor_id text collate "C",
  actor_name text,
  note text,
  -- Of a program that a tester ran in a shell: the command as typed, with secrets masked, and how it ended.
  command text,
  exit_code integer,
  -- Why scope and testing hours were set aside.
  override_reason text,
  -- The command line of testers sends again after a crash or a lost answer, days later if need be. These name its rows, so that
  -- each is added once.
  external_id text collate "C",
  external_position integer,
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade,
  check (address is not null or host is not null),
  check ((actor_id is null) = (actor_name is null)),
  check ((external_id is null) = (external_position is null))
);

create index operation_log_entries_started on operation_log_entries (organization_id, started_at, id);
create index operation_log_entries_of_engagement on operation_log_entries (organization_id, engagement_id, started_at, id);
create index operation_log_entries_kind on operation_log_entries (organization_id, engagement_id, kind, started_at, id);
create index operation_log_entries_address on operation_log_entries (organization_id, engagement_id, address, started_at, id);
create index operation_log_entries_host on operation_log_entries (organization_id, engagement_id, host, started_at, id) where host is not null;
create index operation_log_entries_scan on operation_log_entries (organization_id, scan_id, started_at, id) where scan_id is not null;
-- An import writes its operations once, however often it is resumed.
create index operation_log_entries_import on operation_log_entries (organization_id, import_id) where kind = 'import';
create unique index operation_log_entries_external on operation_log_entries (organization_id, engagement_id, external_id, external_position)
  where external_id is not null;

-- Rows are deleted only with their engagement (once it is being deleted and no longer in the trash, or is gone) or with
-- their organization.
create function keep_operations() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.engagement_id is not null and (
    exists (select from engagement_restrictions r where r.organization_id = old.organization_id and r.engagement_id = old.engagement_id and r.deleting_at is not null
      and not exists (select from engagement_trash t where t.organization_id = old.organization_id and t.engagement_id = old.engagement_id))
    or not exists (select from engagements e where e.organization_id = old.organization_id and e.id = old.engagement_id)
  ) then
    return old;
  end if;
  if tg_op = 'DELETE' and is_removed_organization(old.organization_id) then
    return old;
  end if;
  raise exception 'the operation log is append-only';
end $$;

create trigger operation_log_entries_append_only before update or delete on operation_log_entries for each row execute function keep_operations();
