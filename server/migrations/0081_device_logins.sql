-- Keys of the kinds `login` and `agent` act within the rights of a person, as they are at each request, and end with the
-- person's membership. A terminal gets one by a code that the person approves in the browser (RFC 8628).
alter table api_keys
  -- Null for keys of the kind `key`, which belong to the organization.
  add column owner_id text collate "C",
  add foreign key (organization_id, owner_id) references memberships (organization_id, user_id) on delete cascade,
  add check ((kind = 'key') = (owner_id is null));

create index api_keys_owner on api_keys (organization_id, owner_id) where owner_id is not null;

-- The viewer whose engagements a key with a list of engagements may see at most: `all` for one without an owner.
create function viewer_behind_key(organization text, key text) returns text
language sql stable
as $$
  select case when k.owner_id is null or m.role in ('owner', 'admin') then 'all' else k.owner_id end
  from api_keys k left join memberships m on m.organization_id = k.organization_id and m.user_id = k.owner_id
  where k.organization_id = organization and k.id = key
$$;

-- A caller cannot replace these tables by others through the search path.
do $$ begin
  execute format('alter function viewer_behind_key(text, text) set search_path = %I, pg_temp', current_schema());
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

create table device_authorizations (
  id text collate "C" primary key,
  -- SHA-256 of the terminal's code. The code itself is not stored.
  device_code_hash bytea not null constraint device_authorizations_device_code_hash unique,
  -- A keyed hash of the code that a person enters: it is short, so a plain hash could be tried out.
  user_code_hash bytea not null constraint device_authorizations_user_code_hash unique,
  client text not null,
  -- Wanted by the terminal; empty for any.
  wanted_scopes text[] not null,
  user_agent text not null,
  address text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  polled_at timestamptz(3),
  -- Seconds that the terminal waits between two requests.
  poll_interval smallint not null check (poll_interval between 1 and 120),
  state text collate "C" not null default 'pending' check (state in ('pending', 'approved', 'denied', 'used')),
  -- Null until a person approves it for an organization.
  organization_id text collate "C" references organizations (id),
  approved_by text collate "C",
  -- The owner or admin who confirmed an approval by someone else.
  confirmed_by text collate "C",
  key_name text,
  scopes text[],
  engagement_access text collate "C" check (engagement_access in ('all', 'open', 'listed')),
  engagement_ids text[],
  key_expires_at timestamptz(3),
  -- The key that it made. No foreign key: a key may be deleted before.
  key_id text collate "C",
  unique (organization_id, id),
  foreign key (organization_id, approved_by) references memberships (organization_id, user_id) on delete cascade
);

create index device_authorizations_age on device_authorizations (expires_at);
create index device_authorizations_approver on device_authorizations (organization_id, approved_by);
