-- Clients, engagements, and who may see them: of an engagement the whole organization, or only the team. API keys can be limited
-- to engagements.

create table clients (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id),
  name text collate names not null,
  short_name text collate names not null default '',
  domains text[] not null default '{}',
  -- [{name, role, phone, email}]
  contacts jsonb not null default '[]',
  notes text not null default '',
  -- BCP 47.
  language text collate "C",
  -- {archiveAfterDays, deleteAfterDays}; null: the rule of the organization.
  retention jsonb,
  -- Null for an API key, which the audit log names.
  created_by text collate "C" references users (id),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  searched text not null generated always as (lower((name || chr(10) || short_name) collate names)) stored,
  unique (organization_id, id)
);

create index clients_name on clients (organization_id, name, id);
create index clients_created on clients (organization_id, created_at, id);
create index clients_updated on clients (organization_id, updated_at, id);
create index clients_folded_name on clients (organization_id, lower(name collate names));
create index clients_creator on clients (created_by);

create table engagements (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id),
  -- For the filter of the list. Stored, because folding a million names takes longer than the 2 seconds of a statement.
  searched text not null generated always as (lower((name || chr(10) || client_name) collate names)) stored,
  name text collate names not null,
  client_id text collate "C",
  -- A copy, for the list and for search; empty without a client.
  client_name text collate names not null default '',
  description text not null,
  -- The first of its kinds.
  kind text collate "C" not null default 'other'
    check (kind in ('web', 'network', 'mobile', 'cloud', 'red-team', 'social', 'recon', 'other')),
  kinds text[] collate "C" not null default '{other}',
  -- Other engagements are started from it.
  is_template boolean not null default false,
  -- People refer to a task as MF-12.
  task_prefix text collate "C" not null default 'T' check (task_prefix ~ '^[A-Z][A-Z0-9]{0,9}$'),
  status text collate "C" not null check (status in ('active', 'completed', 'archived')),
  starts_on date,
  ends_on date,
  -- {timeZone, windows: [{days, from, to}]}, validated by the contract. Null: any time.
  testing_hours jsonb,
  -- [{name, role, phone, email}]: people to call when something breaks.
  contacts jsonb not null default '[]',
  -- Names of products and systems, which the spelling check of reports accepts.
  report_words text[] not null default '{}',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  details_updated_at timestamptz(3) not null,
  search_text text generated always as (search_text(name || ' ' || client_name || ' ' || description)) stored,
  unique (organization_id, id),
  foreign key (organization_id, client_id) references clients (organization_id, id),
  check (ends_on >= starts_on),
  check (kinds[1] = kind and cardinality(kinds) between 1 and 8),
  check ((client_id is null) = (client_name = ''))
);

create index engagements_created on engagements (organization_id, created_at, id);
create index engagements_updated on engagements (organization_id, updated_at, id);
create index engagements_status on engagements (organization_id, status, id);
create index engagements_name on engagements (organization_id, name, id);
create index engagements_kind on engagements (organization_id, kind, id);
create index engagements_client on engagements (organization_id, client_id, id);

-- Three tables decide who sees an engagement: engagement_restrictions, engagement_members and api_key_engagements. Their own
-- rows have no policy about engagements, because the policies of all other tables read them.

-- Engagements that not everyone sees. The whole organization sees an engagement without a row.
create table engagement_restrictions (
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  team_only boolean not null default false,
  -- From this moment no one sees the engagement: it is in the trash, or a job deletes its content.
  deleting_at timestamptz(3),
  -- On legal hold (`engagement_holds`): hidden from what deletes rows because their time is over.
  is_held boolean not null default false,
  primary key (organization_id, engagement_id),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade
);

create index engagement_restrictions_deleting on engagement_restrictions (engagement_id) where deleting_at is not null or is_held;

-- Engagements in the trash. Their restriction hides them, and these rows, from everyone except the trash itself.
create table engagement_trash (
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  deleted_at timestamptz(3) not null,
  -- The user, key or agent, with the name at that time.
  deleted_by text collate "C" not null,
  deleted_by_name text not null,
  primary key (organization_id, engagement_id),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade
);

create index engagement_trash_oldest on engagement_trash (deleted_at);
create index engagement_trash_newest on engagement_trash (organization_id, deleted_at, engagement_id);

-- A legal hold: no one deletes the engagement, and nothing in it is deleted because its time is over.
create table engagement_holds (
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  reason text not null,
  -- The owner or admin, with the name at that time.
  held_by text collate "C" not null,
  held_by_name text not null,
  held_at timestamptz(3) not null,
  primary key (organization_id, engagement_id),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id)
);

-- Lead and team of an engagement. A member who leaves the organization leaves its engagements too.
create table engagement_members (
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  user_id text collate "C" not null,
  part text collate "C" not null check (part in ('lead', 'team')),
  primary key (organization_id, engagement_id, user_id, part),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id) references memberships (organization_id, user_id) on delete cascade
);

create unique index engagement_members_one_lead on engagement_members (organization_id, engagement_id) where part = 'lead';
create index engagement_members_user on engagement_members (organization_id, user_id, part);

-- Engagements of keys whose engagement_access is `listed`.
create table api_key_engagements (
  organization_id text collate "C" not null,
  api_key_id text collate "C" not null,
  engagement_id text collate "C" not null,
  primary key (organization_id, api_key_id, engagement_id),
  foreign key (organization_id, api_key_id) references api_keys (organization_id, id) on delete cascade,
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade
);

create index api_key_engagements_engagement on api_key_engagements (organization_id, engagement_id);

-- The engagements that a viewer does not see, of an organization or, for the server, of all (`*`). The viewer is `all`, `open`,
-- the id of a user, `*`, the server, or `expiry`, the server when it deletes what is old. Policies call this once per statement.
-- Only the viewer `**` sees more: the trash, and maintenance of the database.
create function hidden_engagements(organization text, viewer text) returns setof text
language sql stable parallel safe rows 20
as $$
  select r.engagement_id from engagement_restrictions r
  where r.organization_id = organization and (
    r.deleting_at is not null
    or r.is_held and viewer = 'expiry'
    or r.team_only and viewer not in ('all', '*', 'expiry') and not exists (
      select from engagement_members p
      where p.organization_id = organization and p.engagement_id = r.engagement_id and p.user_id = viewer))
  union all
  select r.engagement_id from engagement_restrictions r
  where organization = '*' and (r.deleting_at is not null or r.is_held and viewer = 'expiry')
$$;

-- A caller cannot replace these tables by others through the search path.
do $$ begin
  execute format('alter function hidden_engagements(text, text) set search_path = %I, pg_temp', current_schema());
end $$;

-- The policies of all tables with engagements read a key's list from this one. A key sees no engagement of its list that
-- its owner no longer sees. Evaluated once per statement.
create policy seen_by_owner on api_key_engagements as restrictive for select using (
  (select coalesce(current_setting('sortie.viewer', true), '')) not like 'key\_%'
  or engagement_id not in (
    select hidden_engagements(
      (select current_setting('sortie.organization', true)),
      (select coalesce(viewer_behind_key(current_setting('sortie.organization', true), current_setting('sortie.viewer', true)), 'open'))
    ))
);

-- The next two functions also reach engagements that the caller does not see. An ordinary role may not fix a setting of this kind
-- to a function, so they change it and change it back; an error rolls it back with the transaction.

-- Whether an engagement has this client.
create function client_has_engagements(organization text, client text) returns boolean
language plpgsql volatile as $$
declare
  viewer text := current_setting('sortie.viewer', true);
  found boolean;
begin
  perform set_config('sortie.viewer', '**', true);
  found := exists (select from engagements e where e.organization_id = organization and e.client_id = client);
  perform set_config('sortie.viewer', viewer, true);
  return found;
end $$;

create function copy_client_name() returns trigger language plpgsql as $$
declare
  viewer text := current_setting('sortie.viewer', true);
begin
  perform set_config('sortie.viewer', '**', true);
  update engagements set client_name = new.name where organization_id = new.organization_id and client_id = new.id;
  perform set_config('sortie.viewer', viewer, true);
  return null;
end $$;

create trigger copy_name after update of name on clients for each row when (old.name <> new.name) execute function copy_client_name();

-- In addition to the owner, admins and keys for all engagements, a client is visible to its creator and to those who see one of its
-- engagements: their own policy applies within this one. A key for open engagements also sees clients without any engagement.
-- Adding a client is always allowed; the service decides.
create policy visible_client on clients as restrictive using (case
  when (select current_setting('sortie.viewer', true)) in ('**', '*', 'expiry', 'all') then true
  else created_by = (select current_setting('sortie.viewer', true))
    or exists (select from engagements e where e.organization_id = clients.organization_id and e.client_id = clients.id)
    or (select current_setting('sortie.viewer', true)) = 'open' and not client_has_engagements(organization_id, id)
  end) with check (true);

-- Filters and sort order of a list, saved under a name. They are deleted with the membership of their owner.
create table saved_views (
  id text collate "C" primary key,
  organization_id text collate "C" not null,
  owner_id text collate "C" not null,
  -- Null: for the whole organization.
  engagement_id text collate "C",
  list text collate "C" not null,
  name text collate names not null,
  search text not null,
  is_shared boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (organization_id, id),
  foreign key (organization_id, owner_id) references memberships (organization_id, user_id) on delete cascade,
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade
);

create unique index saved_views_name on saved_views (organization_id, owner_id, list, coalesce(engagement_id, ''), lower(name));
create index saved_views_list on saved_views (organization_id, list, engagement_id);
create index saved_views_engagement on saved_views (organization_id, engagement_id) where engagement_id is not null;

-- What each member of an organization visited last: the newest 20.
create table recent_visits (
  organization_id text collate "C" not null,
  user_id text collate "C" not null,
  object_id text collate "C" not null,
  -- Null for what belongs to the organization.
  engagement_id text collate "C",
  visited_at timestamptz(3) not null,
  primary key (organization_id, user_id, object_id),
  foreign key (organization_id, user_id) references memberships (organization_id, user_id) on delete cascade,
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade
);

create index recent_visits_engagement on recent_visits (organization_id, engagement_id) where engagement_id is not null;
