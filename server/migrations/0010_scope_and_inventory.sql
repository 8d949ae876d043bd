-- The scope of an engagement, its targets, and its inventory: results from imports, scans and people.
--
-- Deleted rules, targets and results stay in the trash for 30 days, from which they can be restored, as tasks and requests do.
-- Row-level security hides rows with a time in `trashed_at` (`not_in_trash`, row-level-security.ts), so a query that does not
-- consider the trash sees none of them.

create table scope_rules (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id),
  engagement_id text collate "C" not null,
  effect text collate "C" not null check (effect in ('allow', 'deny', 'caution')),
  -- Derived from the pattern. service: one port of a host, such as example.com:8443.
  kind text collate "C" not null check (kind in ('domain', 'wildcard', 'ip', 'cidr', 'range', 'url', 'service')),
  -- Canonical: equal patterns have equal texts.
  pattern text collate "C" not null,
  note text not null default '',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  trashed_at timestamptz(3),
  unique (organization_id, engagement_id, id),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade
);

create index scope_rules_organization on scope_rules (organization_id, id);
create unique index scope_rules_pattern on scope_rules (organization_id, engagement_id, pattern) where trashed_at is null;
-- The trash of an engagement, and the oldest rows of all; likewise for targets and results. Small compared with the tables.
create index scope_rules_in_trash on scope_rules (organization_id, engagement_id, id) where trashed_at is not null;
create index scope_rules_trashed on scope_rules (trashed_at) where trashed_at is not null;

-- organization_id has no foreign key of its own: the engagement belongs to an organization that exists, and one check less per
-- row counts for lists of ten thousand.
create table targets (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  trashed_at timestamptz(3),
  -- For substring search: stored, so that searching 100,000 targets takes no longer than listing them.
  searched text not null generated always as (
    lower((case when value = canonical then value else value || chr(10) || canonical end) collate names)) stored,
  -- Searched too: Postgres reads a row only up to here.
  tags text[] not null default '{}',
  kind text collate "C" not null check (kind in ('domain', 'ip', 'cidr', 'url', 'service', 'cloud', 'repository', 'other')),
  -- As entered.
  value text not null,
  canonical text not null,
  -- SHA-256 of engagement, kind and canonical form.
  identity bytea not null,
  -- Sorts addresses numerically, then everything else by text. Compared byte by byte; at most 400 bytes.
  order_key text collate "C" not null,
  -- 0 none, 1 low, 2 medium, 3 high, 4 critical
  criticality smallint not null default 0 check (criticality between 0 and 4),
  notes text not null default '',
  source text collate "C" not null check (source in ('manual', 'import', 'scan', 'api')),
  parent_id text collate "C",
  first_seen_at timestamptz(3),
  last_seen_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- The parent it had before that was deleted.
  trashed_parent_id text collate "C",
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade
);

-- The order of these indexes matters. For an engagement without statistics Postgres estimates very few rows, so every index
-- that begins with the engagement looks as if it finds a single row; of indexes with equal cost Postgres takes the newest.
-- So the indexes of lists begin with the engagement, and the keys that find one row do not, are smaller, and are created
-- last.
create index targets_engagement on targets (engagement_id, id);
create index targets_kind on targets (engagement_id, kind, id);
create index targets_source on targets (engagement_id, source, id);
create index targets_criticality on targets (engagement_id, criticality, id);
create index targets_order on targets (engagement_id, order_key, id);
create index targets_last_seen on targets (engagement_id, (coalesce(last_seen_at, 'infinity')), id);
create index targets_parent on targets (parent_id, id) where parent_id is not null;
create index targets_in_trash on targets (organization_id, engagement_id, id) where trashed_at is not null;
create index targets_trashed on targets (trashed_at) where trashed_at is not null;
create index targets_trashed_parent on targets (organization_id, trashed_parent_id) where trashed_parent_id is not null;
alter table targets add unique (organization_id, id);
alter table targets add unique (identity);
alter table targets add primary key (id);
alter table targets
  add foreign key (organization_id, parent_id) references targets (organization_id, id) on delete set null (parent_id),
  add foreign key (organization_id, trashed_parent_id) references targets (organization_id, id) on delete set null (trashed_parent_id);

-- A separate table, because a change of rules writes the verdicts of 100,000 targets, and each target is in ten indexes.
create table target_verdicts (
  target_id text collate "C" not null,
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  verdict text collate "C" not null check (verdict in ('in', 'out', 'caution', 'unknown')),
  -- The rule that decided. No foreign key: deleting a rule evaluates the targets again, which replaces the id here.
  scope_rule_id text collate "C",
  foreign key (organization_id, target_id) references targets (organization_id, id) on delete cascade
);

create index target_verdicts_verdict on target_verdicts (engagement_id, verdict, target_id);
alter table target_verdicts add primary key (target_id);

-- Everything known about a client's systems: one inventory per engagement. organization_id has no foreign key of its own,
-- because the one to engagements covers it: a second check for each of 100,000 imported rows is expensive.
create table results (
  id text collate "C" primary key,
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  trashed_at timestamptz(3),
  -- For substring search. Stored, because folding 1,000,000 results takes longer than the 2 seconds of a statement. Row-level
  -- security and searches read the columns up to this one of each row: further back they would take half as long again.
  searched text not null generated always as (lower((title || chr(10) || asset) collate names)) stored,
  kind text collate "C" not null check (kind in (
    'host', 'dns_record', 'service', 'http_response', 'tls_certificate', 'web_path', 'technology', 'vulnerability', 'component')),
  -- SHA-256, in hexadecimal, of a versioned canonical tuple. Null: entered by hand, and equal to no other result.
  identity text collate "C",
  -- One line: 10.0.0.5:443/tcp.
  asset text not null,
  -- Sorts addresses numerically, then everything else by text. Compared byte by byte; at most 400 bytes.
  asset_key text collate "C" not null,
  -- Canonical address or name; null if the result has no host.
  host text collate "C",
  protocol text collate "C",
  port integer check (port between 1 and 65535),
  -- Null after the target is deleted: the result stays.
  target_id text collate "C",
  -- The target of the address, where the result was found by a name and belongs to the name's target. While rules deny the
  -- address, the result counts as one of the address. Reads decide that, so that a change of rules writes no result.
  address_target_id text collate "C",
  -- Where the rules judge the location of the result differently from its target (such as a URL in scope on a host that is
  -- not), or where it has no target. Null: the verdict of the target applies.
  own_verdict text collate "C" check (own_verdict in ('in', 'out', 'caution', 'unknown')),
  title text not null,
  -- 0 info, 1 low, 2 medium, 3 high, 4 critical
  severity smallint check (severity between 0 and 4),
  -- Set by a person: tools no longer change it.
  is_severity_set boolean not null default false,
  -- Only for vulnerabilities.
  status text collate "C" check (status in ('open', 'confirmed', 'false_positive', 'accepted', 'fixed')),
  state text collate "C" not null default 'present' check (state in ('present', 'gone')),
  -- Fields by kind, without large ones.
  data jsonb not null default '{}',
  -- request, response, evidence, scripts, banner: left out of lists.
  large_data jsonb not null default '{}',
  -- Tools that reported the result.
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
  -- When a tool last reported the result as present or gone. Older reports change nothing.
  evidence_at timestamptz(3) not null,
  -- When a person last changed the status.
  status_changed_at timestamptz(3),
  -- When a person last changed any field.
  edited_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- The trash keeps the identity of a result apart: another report creates the result again.
  trashed_identity text collate "C",
  -- The targets it had before these were deleted; null while it has others.
  trashed_target_id text collate "C",
  trashed_address_target_id text collate "C",
  unique (organization_id, engagement_id, id),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade,
  foreign key (organization_id, target_id) references targets (organization_id, id) on delete set null (target_id),
  foreign key (organization_id, address_target_id) references targets (organization_id, id) on delete set null (address_target_id),
  foreign key (organization_id, trashed_target_id) references targets (organization_id, id) on delete set null (trashed_target_id),
  foreign key (organization_id, trashed_address_target_id) references targets (organization_id, id) on delete set null (trashed_address_target_id),
  check ((status is null) = (kind <> 'vulnerability'))
);

create index results_organization on results (organization_id, id);
create index results_kind on results (organization_id, engagement_id, kind, id);
create index results_state on results (organization_id, engagement_id, state, id);
create index results_status on results (organization_id, engagement_id, status, id) where status is not null;
create index results_severity on results (organization_id, engagement_id, (coalesce(severity, -1)), id);
create index results_asset on results (organization_id, engagement_id, asset_key, id);
create index results_first_seen on results (organization_id, engagement_id, first_seen_at, id);
create index results_last_seen on results (organization_id, engagement_id, last_seen_at, id);
create index results_host on results (organization_id, engagement_id, host, kind) where host is not null;
create index results_port on results (organization_id, engagement_id, port, id) where port is not null;
create index results_assignee on results (organization_id, engagement_id, assignee_id, id) where assignee_id is not null;
create index results_accepted on results (accepted_until) where status = 'accepted' and accepted_until is not null;
-- Imports find results by identity, a batch at a time. The engagement comes second: for an engagement without statistics
-- Postgres expects a row or two, and would read all of its rows through any smaller index that begins with the engagement.
alter table results add constraint results_identity unique (identity, engagement_id);
create index results_of_address on results (organization_id, address_target_id, id) where address_target_id is not null;
-- Results without a target have their own filters (`targetId=none`, `verdict=unknown`) and are few among a million.
create index results_without_target on results (organization_id, engagement_id, id) where target_id is null;
-- For the results of a target and for its foreign key: a target belongs to one engagement.
create index results_target_id on results (organization_id, target_id, id) where target_id is not null;
-- Few results have their own verdict. A change of rules finds them by this index and evaluates them again.
create index results_own_verdict on results (organization_id, engagement_id, own_verdict, id) where own_verdict is not null;
-- Rules have up to 4,000 bytes, more than an index entry may have.
create index results_rule on results (organization_id, engagement_id, (hashtextextended(data ->> 'ruleId', 0)), id)
  where kind = 'vulnerability';
create index results_in_trash on results (organization_id, engagement_id, id) where trashed_at is not null;
create index results_trashed on results (trashed_at) where trashed_at is not null;
create index results_trashed_target on results (organization_id, trashed_target_id) where trashed_target_id is not null;
create index results_trashed_address on results (organization_id, trashed_address_target_id) where trashed_address_target_id is not null;

-- As the foreign keys do when a target is deleted: the results of a target in the trash stay without it, and remember it. A
-- restored target gets those back that belong to no other by now. Includes results in the trash, which the transaction sees.
create function release_results_of_target() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  if new.trashed_at is not null then
    update results set target_id = null, trashed_target_id = target_id where organization_id = new.organization_id and target_id = new.id;
    update results set address_target_id = null, trashed_address_target_id = address_target_id
      where organization_id = new.organization_id and address_target_id = new.id;
  else
    update results set target_id = coalesce(target_id, trashed_target_id), trashed_target_id = null
      where organization_id = new.organization_id and trashed_target_id = new.id;
    update results set address_target_id = coalesce(address_target_id, trashed_address_target_id), trashed_address_target_id = null
      where organization_id = new.organization_id and trashed_address_target_id = new.id;
  end if;
  return null;
end $$;

create trigger results_of_trashed after update of trashed_at on targets for each row
  when (old.trashed_at is distinct from new.trashed_at) execute function release_results_of_target();

-- Each report of a result by an import, a scan or a person, with what it changed. Counts are computed from these rows, and
-- they hold enough to revert a source exactly.
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
  -- Fields that this source has reported. Later reports of the same result by the same source add to them.
  reported text[] not null default '{}',
  -- The result before and after; null if it did not change.
  before jsonb,
  after jsonb,
  previous_seen_at timestamptz(3),
  previous_evidence_at timestamptz(3),
  created_at timestamptz(3) not null,
  -- An observation is in the trash with its result.
  trashed_at timestamptz(3),
  primary key (source_id, result_id),
  foreign key (organization_id, engagement_id, result_id) references results (organization_id, engagement_id, id) on delete cascade
);

create index observations_result on observations (organization_id, result_id, sequence);
create index observations_source on observations (organization_id, source_id, change, sequence);
create index observations_changes on observations (organization_id, engagement_id, seen_at, source_id, sequence) where change not in ('unchanged', 'older');
-- Observations without a change are deleted after some time, in their order.
create index observations_unchanged on observations (sequence) where change in ('unchanged', 'older');

-- Collects statistics after the first large import of an instance. Autovacuum takes a minute to do so, and until then each
-- batch reads the whole table.
create function analyze_results() returns void
language plpgsql security definer set search_path from current as $$
begin
  analyze results, observations;
end $$;

-- What an import or a scan covered. A result that was there, is covered and is not reported again is gone.
create table scan_coverage (
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  source_id text collate "C" not null,
  -- nothing: the hosts of this row are not covered, because a file that covers everything left out what is out of scope.
  what text collate "C" not null check (what in ('host', 'ports', 'records', 'url', 'certificate', 'vulnerabilities', 'rule', 'everything', 'nothing')),
  -- Null: every host of the engagement.
  host text collate "C",
  protocol text collate "C",
  ports int4multirange,
  -- Covered ports without a listener: a service found there before is gone.
  closed int4multirange,
  rule_id text,
  location text,
  -- The type of the records, the URL or site, or the name that the certificate was requested for (null: none).
  detail text,
  -- The severities that the report includes; null: all.
  severities smallint[],
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade
);

create index scan_coverage_source on scan_coverage (organization_id, source_id, host);
create index scan_coverage_engagement on scan_coverage (organization_id, engagement_id);
-- Sites of a source: their vulnerabilities can be on another host than the site.
create index scan_coverage_sites on scan_coverage (organization_id, source_id, detail) where what = 'vulnerabilities' and detail is not null;

-- Values of custom fields.
create trigger field_values_gone after delete on targets referencing old table as gone for each statement execute function field_values_gone();
