-- Organizations, their members, invitations and domains. The schema separates organizations: every reference to a
-- row of an organization includes the organization's id.

create table organizations (
  id text collate "C" primary key,
  name text not null,
  slug text collate "C" not null constraint organizations_slug unique,
  plan text not null,
  require_two_factor boolean not null default false,
  domain_auto_join boolean not null default false,
  sso_enabled boolean not null default false,
  -- Members may create engagements.
  members_create_engagements boolean not null default false,
  -- Triggers on memberships keep these counts in the same transaction: counting rows would slow down as the organization
  -- grows.
  owner_count integer not null default 0,
  admin_count integer not null default 0,
  plain_member_count integer not null default 0,
  -- When an operator removed the organization: it has no members and keys any more, and a job deletes its rows and files.
  removed_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

-- Logs that are never changed are deleted with their organization only.
create function is_removed_organization(organization text) returns boolean
language sql stable set search_path from current
as $$ select exists (select from organizations o where o.id = organization and o.removed_at is not null) $$;

create table memberships (
  organization_id text collate "C" not null references organizations (id),
  user_id text collate "C" not null,
  -- Copies for the member list; the foreign key keeps them equal to those in users.
  name text not null,
  email text not null,
  role text collate "C" not null check (role in ('owner', 'admin', 'member')),
  joined_at timestamptz(3) not null,
  last_seen_at timestamptz(3),
  updated_at timestamptz(3) not null,
  primary key (organization_id, user_id),
  foreign key (user_id, name, email) references users (id, name, email) on update cascade
);

create unique index memberships_one_owner on memberships (organization_id) where role = 'owner';
create index memberships_page on memberships (organization_id, joined_at, user_id);
create index memberships_role_page on memberships (organization_id, role, joined_at, user_id);
create index memberships_user on memberships (user_id, name, email);

-- Counts of members by range, for pages from any position of a large member list. Skipping half a million index entries
-- takes a tenth of a second. So the list is divided into ranges of about two thousand neighbours, each with its counts. A
-- page is found by adding up counts and skipping within one range.
--
-- A range starts at a position in the order of the list (joined_at, user_id) and ends where the next one starts. The first
-- starts before everything, so every membership is in exactly one range. Ranges change in the transaction that changes their
-- memberships, and only after it has locked the organization's row: two such transactions never overlap, and one statement
-- of a reader sees counters, ranges and memberships at the same moment.
create table member_count_ranges (
  organization_id text collate "C" not null references organizations (id) on delete cascade,
  from_joined_at timestamptz(3) not null,
  from_user_id text collate "C" not null,
  owner_count integer not null default 0,
  admin_count integer not null default 0,
  plain_member_count integer not null default 0,
  primary key (organization_id, from_joined_at, from_user_id)
) with (fillfactor = 70);

-- Splits a range that has grown too long into ranges of the usual length.
create function split_member_chunk(chunk member_count_ranges) returns void language plpgsql as $$
declare
  chunk_length constant integer := 2048;
  end_joined_at timestamptz := 'infinity';
  end_user_id text := '';
begin
  select from_joined_at, from_user_id into end_joined_at, end_user_id from member_count_ranges
    where organization_id = chunk.organization_id and (from_joined_at, from_user_id) > (chunk.from_joined_at, chunk.from_user_id)
    order by from_joined_at, from_user_id limit 1;
  delete from member_count_ranges
    where organization_id = chunk.organization_id and from_joined_at = chunk.from_joined_at and from_user_id = chunk.from_user_id;
  insert into member_count_ranges
  select chunk.organization_id,
    case when place / chunk_length = 0 then chunk.from_joined_at else min(joined_at) filter (where place % chunk_length = 0) end,
    case when place / chunk_length = 0 then chunk.from_user_id else min(user_id) filter (where place % chunk_length = 0) end,
    count(*) filter (where role = 'owner'),
    count(*) filter (where role = 'admin'),
    count(*) filter (where role = 'member')
  from (
    select joined_at, user_id, role, row_number() over (order by joined_at, user_id) - 1 as place
    from memberships
    where organization_id = chunk.organization_id
      and (joined_at, user_id) >= (chunk.from_joined_at, chunk.from_user_id)
      and (joined_at, user_id) < (coalesce(end_joined_at, 'infinity'), coalesce(end_user_id, ''))
  ) numbered
  group by place / chunk_length;
end $$;

-- Changes the counts in two places, always in this order: first the organization's row, whose lock the ranges rely on, then
-- the ranges.
create function count_members() returns trigger language plpgsql as $$
declare
  chunk member_count_ranges;
begin
  if tg_op <> 'DELETE' then
    update organizations o set
      owner_count = owner_count + d.owners,
      admin_count = admin_count + d.admins,
      plain_member_count = plain_member_count + d.plain
    from (
      select organization_id,
        count(*) filter (where role = 'owner') as owners,
        count(*) filter (where role = 'admin') as admins,
        count(*) filter (where role = 'member') as plain
      from new_rows group by organization_id
    ) d where o.id = d.organization_id;
    insert into member_count_ranges (organization_id, from_joined_at, from_user_id)
      select distinct organization_id, '-infinity'::timestamptz, '' from new_rows
      on conflict do nothing;
    for chunk in
      update member_count_ranges c set
        owner_count = c.owner_count + d.owners,
        admin_count = c.admin_count + d.admins,
        plain_member_count = c.plain_member_count + d.plain
      from (
        select k.organization_id, k.from_joined_at, k.from_user_id,
          count(*) filter (where r.role = 'owner') as owners,
          count(*) filter (where r.role = 'admin') as admins,
          count(*) filter (where r.role = 'member') as plain
        from new_rows r cross join lateral (
          select * from member_count_ranges
          where organization_id = r.organization_id and (from_joined_at, from_user_id) <= (r.joined_at, r.user_id)
          order by from_joined_at desc, from_user_id desc limit 1
        ) k
        group by k.organization_id, k.from_joined_at, k.from_user_id
      ) d where (c.organization_id, c.from_joined_at, c.from_user_id) = (d.organization_id, d.from_joined_at, d.from_user_id)
      returning c.*
    loop
      if chunk.owner_count + chunk.admin_count + chunk.plain_member_count >= 4096 then
        perform split_member_chunk(chunk);
      end if;
    end loop;
  end if;
  if tg_op <> 'INSERT' then
    update organizations o set
      owner_count = owner_count - d.owners,
      admin_count = admin_count - d.admins,
      plain_member_count = plain_member_count - d.plain
    from (
      select organization_id,
        count(*) filter (where role = 'owner') as owners,
        count(*) filter (where role = 'admin') as admins,
        count(*) filter (where role = 'member') as plain
      from old_rows group by organization_id
    ) d where o.id = d.organization_id;
    for chunk in
      update member_count_ranges c set
        owner_count = c.owner_count - d.owners,
        admin_count = c.admin_count - d.admins,
        plain_member_count = c.plain_member_count - d.plain
      from (
        select k.organization_id, k.from_joined_at, k.from_user_id,
          count(*) filter (where r.role = 'owner') as owners,
          count(*) filter (where r.role = 'admin') as admins,
          count(*) filter (where r.role = 'member') as plain
        from old_rows r cross join lateral (
          select * from member_count_ranges
          where organization_id = r.organization_id and (from_joined_at, from_user_id) <= (r.joined_at, r.user_id)
          order by from_joined_at desc, from_user_id desc limit 1
        ) k
        group by k.organization_id, k.from_joined_at, k.from_user_id
      ) d where (c.organization_id, c.from_joined_at, c.from_user_id) = (d.organization_id, d.from_joined_at, d.from_user_id)
      returning c.*
    loop
      -- The previous range takes over the interval of an empty one. The first has no previous range, so it stays.
      if chunk.owner_count + chunk.admin_count + chunk.plain_member_count = 0 and chunk.from_joined_at > '-infinity' then
        delete from member_count_ranges
          where organization_id = chunk.organization_id and from_joined_at = chunk.from_joined_at and from_user_id = chunk.from_user_id;
      end if;
    end loop;
  end if;
  return null;
end $$;

create trigger memberships_counted_on_insert after insert on memberships
  referencing new table as new_rows for each statement execute function count_members();
create trigger memberships_counted_on_delete after delete on memberships
  referencing old table as old_rows for each statement execute function count_members();

create function count_member_role() returns trigger language plpgsql as $$
declare
  owners constant integer := (new.role = 'owner')::integer - (old.role = 'owner')::integer;
  admins constant integer := (new.role = 'admin')::integer - (old.role = 'admin')::integer;
  plain constant integer := (new.role = 'member')::integer - (old.role = 'member')::integer;
begin
  update organizations set
    owner_count = owner_count + owners,
    admin_count = admin_count + admins,
    plain_member_count = plain_member_count + plain
  where id = new.organization_id;
  update member_count_ranges set
    owner_count = owner_count + owners,
    admin_count = admin_count + admins,
    plain_member_count = plain_member_count + plain
  where organization_id = new.organization_id and (from_joined_at, from_user_id) = (
    select from_joined_at, from_user_id from member_count_ranges
    where organization_id = new.organization_id and (from_joined_at, from_user_id) <= (new.joined_at, new.user_id)
    order by from_joined_at desc, from_user_id desc limit 1
  );
  return null;
end $$;

-- last_seen_at changes every minute and must not touch the counts: only a change of role does.
create trigger memberships_counted_on_role_change after update of role on memberships
  for each row when (old.role is distinct from new.role) execute function count_member_role();

create function refuse_membership_move() returns trigger language plpgsql as $$
begin
  raise exception 'a membership keeps its organization, its person and the time of joining';
end $$;

create trigger memberships_stay before update of organization_id, user_id, joined_at on memberships
  for each row when ((old.organization_id, old.user_id, old.joined_at) is distinct from (new.organization_id, new.user_id, new.joined_at))
  execute function refuse_membership_move();

-- Former members who have not come back through an invitation: a verified domain does not let them join again.
create table former_members (
  organization_id text collate "C" not null references organizations (id),
  user_id text collate "C" not null references users (id),
  ended_at timestamptz(3) not null,
  -- The identity provider ended the membership and may start it again. Otherwise only an invitation can.
  by_provider boolean not null default false,
  primary key (organization_id, user_id)
);

create index former_members_user on former_members (user_id);

create table invitations (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id),
  email text not null,
  email_key text collate "C" not null,
  role text collate "C" not null check (role in ('admin', 'member')),
  -- Readers treat a pending invitation past expires_at as expired. The next write to the row stores that status.
  status text collate "C" not null check (status in ('pending', 'accepted', 'revoked', 'expired')),
  -- SHA-256 of the token in the mailed link. The token is derived from the id and this version, and is not stored.
  token_hash bytea not null constraint invitations_token_hash unique,
  token_version integer not null default 1,
  -- Id and name of the user or API key that sent the invitation.
  invited_by text collate "C" not null,
  invited_by_name text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  accepted_by text collate "C" references users (id),
  unique (organization_id, id)
);

create unique index invitations_one_pending on invitations (organization_id, email_key) where status = 'pending';
create index invitations_newest on invitations (organization_id, created_at desc, id desc);

create table organization_domains (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id),
  -- ASCII form (UTS 46) in lower case, to compare with the domain of a stored email address.
  domain text collate "C" not null,
  -- Required content of the TXT record, which is public.
  token text not null,
  -- When a check last found the record. Null if none has, or if a later check found it missing.
  proved_at timestamptz(3),
  checked_at timestamptz(3),
  -- Of the last check.
  check_result text collate "C" check (check_result in ('found', 'missing', 'unanswered')),
  created_at timestamptz(3) not null,
  unique (organization_id, id),
  constraint organization_domains_once unique (organization_id, domain)
);

create index organization_domains_proved on organization_domains (domain) where proved_at is not null;

-- Organizations at the identity provider, as an instance administrator linked them.
create table directory_organizations (
  organization_id text collate "C" primary key references organizations (id),
  provider_id text collate "C" not null constraint directory_organizations_provider unique,
  linked_at timestamptz(3) not null
);

-- Events of the identity provider's directory. They arrive as webhooks and in the provider's list of events.
create table directory_events (
  -- The provider's id: it detects a replay, whichever way the event arrived first.
  id text collate "C" primary key,
  type text collate "C" not null,
  event_at timestamptz(3) not null,
  -- Only the fields that can be applied. Null: an unused type or an unknown format.
  change jsonb,
  received_at timestamptz(3) not null,
  -- Null until its job has run.
  outcome text collate "C" check (outcome in ('applied', 'superseded', 'not-used'))
);

create index directory_events_received on directory_events (received_at);

-- Content of the identity provider's directory, each entry as of its newest event. Removed entries stay, marked as removed,
-- so that an older event that arrives late does not bring them back.
create table directory_entries (
  kind text collate "C" not null check (kind in ('user', 'membership', 'directory-user', 'group', 'group-member')),
  id text collate "C" not null,
  -- Ids at the provider.
  provider_organization_id text collate "C",
  provider_user_id text collate "C",
  is_removed boolean not null,
  data jsonb not null,
  event_at timestamptz(3) not null,
  event_id text collate "C" not null,
  primary key (kind, id)
);

create index directory_entries_user on directory_entries (provider_user_id, kind);
create index directory_entries_organization on directory_entries (provider_organization_id, kind);

-- The last event that was read from the provider's list.
create table directory_cursors (
  issuer text collate "C" primary key,
  after_event_id text collate "C",
  read_at timestamptz(3) not null
);
