-- What consultants need to know about an engagement, and who may see it: everybody in the organization, or its team.
-- API keys can be limited to engagements.

-- Names sort as people expect, without regard to case, on every Postgres. Deterministic: Postgres 15 has no LIKE otherwise.
create collation names (provider = icu, locale = 'und-u-ks-level2');

alter table engagements
  alter column name type text collate names,
  add column client_name text collate names not null default '',
  add column kind text collate "C" not null default 'other'
    check (kind in ('web', 'network', 'mobile', 'cloud', 'red-team', 'social', 'recon', 'other')),
  add column starts_on date,
  add column ends_on date,
  -- Null: any time. Else {timeZone, windows: [{days, from, to}]}, checked by the contract.
  add column testing_hours jsonb,
  -- [{name, role, phone, email}]: whom to call when something breaks.
  add column contacts jsonb not null default '[]',
  add column details_updated_at timestamptz(3),
  add check (ends_on >= starts_on);

update engagements set details_updated_at = updated_at;
alter table engagements alter column details_updated_at set not null;

create index engagements_kind on engagements (organization_id, kind, id);

-- The three tables that say who sees what. Their own rows are not held to it: policies of all others read them.

-- Engagements that not everybody sees; one without a row is seen by the whole organization.
create table engagement_restrictions (
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  team_only boolean not null default false,
  -- From then on nobody sees it; a job removes what is in it.
  deleting_at timestamptz(3),
  primary key (organization_id, engagement_id),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade
);

-- Who works on an engagement; who leaves the organization leaves it, too.
create table engagement_people (
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  user_id text collate "C" not null,
  part text collate "C" not null check (part in ('lead', 'team')),
  primary key (organization_id, engagement_id, user_id, part),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id) references memberships (organization_id, user_id) on delete cascade
);

create unique index engagement_people_one_lead on engagement_people (organization_id, engagement_id) where part = 'lead';
create index engagement_people_user on engagement_people (organization_id, user_id, part);

alter table api_keys
  -- all: every engagement. open: those that the whole organization sees. listed: those in api_key_engagements alone.
  add column engagement_access text collate "C" not null default 'all' check (engagement_access in ('all', 'open', 'listed'));

create table api_key_engagements (
  organization_id text collate "C" not null,
  api_key_id text collate "C" not null,
  engagement_id text collate "C" not null,
  primary key (organization_id, api_key_id, engagement_id),
  foreign key (organization_id, api_key_id) references api_keys (organization_id, id) on delete cascade,
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade
);

create index api_key_engagements_engagement on api_key_engagements (organization_id, engagement_id);

-- The engagements of an organization that a viewer does not see: `all`, `open` or the id of a person. Policies call it
-- once per statement.
create function hidden_engagements(organization text, viewer text) returns setof text
language sql stable rows 20
as $$
  select r.engagement_id from engagement_restrictions r
  where r.organization_id = organization and (
    r.deleting_at is not null
    or r.team_only and viewer <> 'all' and not exists (
      select from engagement_people p
      where p.organization_id = organization and p.engagement_id = r.engagement_id and p.user_id = viewer))
$$;

-- Nothing that a caller puts into the search path stands in for these tables.
do $$ begin
  execute format('alter function hidden_engagements(text, text) set search_path = %I, pg_temp', current_schema());
end $$;

-- The activity of an engagement is the part of the audit log that is about it. No foreign key: the log outlives it.
alter table audit_entries add column engagement_concerned text collate "C";
create index audit_entries_engagement on audit_entries (
  organization_id, (case when object_type = 'engagement' then object_id else engagement_concerned end), id);
