-- What an engagement is about: targets, and the rules that say which of them may be touched.

create table scope_rules (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id),
  engagement_id text collate "C" not null,
  effect text collate "C" not null check (effect in ('allow', 'deny', 'caution')),
  -- Told from the pattern.
  kind text collate "C" not null check (kind in ('domain', 'wildcard', 'ip', 'cidr', 'range', 'url')),
  -- Canonical: two patterns are the same when these are.
  pattern text collate "C" not null,
  note text not null default '',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (organization_id, engagement_id, id),
  unique (organization_id, engagement_id, pattern),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade
);

create index scope_rules_organization on scope_rules (organization_id, id);

create table targets (
  id text collate "C" not null,
  organization_id text collate "C" not null references organizations (id),
  engagement_id text collate "C" not null,
  kind text collate "C" not null check (kind in ('domain', 'ip', 'cidr', 'url', 'service', 'cloud', 'repository', 'other')),
  -- As entered.
  value text not null,
  canonical text not null,
  -- What a search for a part looks at: 100,000 of them in the time of a list.
  searched text not null generated always as (
    lower((case when value = canonical then value else value || chr(10) || canonical end) collate names)) stored,
  -- SHA-256 of engagement, kind and canonical form.
  identity bytea not null,
  -- Addresses in the order of addresses, then everything else by its text; compared bytewise, at most 400 bytes.
  order_key text collate "C" not null,
  tags text[] not null default '{}',
  -- none, low, medium, high, critical
  criticality smallint not null default 0 check (criticality between 0 and 4),
  notes text not null default '',
  source text collate "C" not null check (source in ('manual', 'import', 'scan', 'api')),
  parent_id text collate "C",
  first_seen_at timestamptz(3),
  last_seen_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade
);

-- Postgres thinks little of an engagement that its statistics do not know yet, and takes any index that begins with it for
-- one that finds a single row; of equals it takes the one that was made last. So lists have indexes that begin with the
-- engagement, and what finds one row has indexes that do not, smaller ones, made after them.
create index targets_engagement on targets (engagement_id, id);
create index targets_kind on targets (engagement_id, kind, id);
create index targets_source on targets (engagement_id, source, id);
create index targets_criticality on targets (engagement_id, criticality, id);
create index targets_order on targets (engagement_id, order_key, id);
create index targets_last_seen on targets (engagement_id, (coalesce(last_seen_at, 'infinity')), id);
create index targets_parent on targets (parent_id, id) where parent_id is not null;
alter table targets add unique (organization_id, id);
alter table targets add unique (identity);
alter table targets add primary key (id);
alter table targets
  add foreign key (organization_id, parent_id) references targets (organization_id, id) on delete set null (parent_id);

-- A table of its own: a change of rules writes the verdicts of 100,000 targets, and a target stands in ten indexes.
create table target_verdicts (
  target_id text collate "C" not null,
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  verdict text collate "C" not null check (verdict in ('in', 'out', 'caution', 'unknown')),
  -- The rule that decided. No foreign key: a rule goes with the judging anew that takes it from here.
  scope_rule_id text collate "C",
  foreign key (organization_id, target_id) references targets (organization_id, id) on delete cascade
);

create index target_verdicts_verdict on target_verdicts (engagement_id, verdict, target_id);
alter table target_verdicts add primary key (target_id);
