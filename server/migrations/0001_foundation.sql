-- People, organizations and what belongs to an organization. Tenancy is in the schema: a row of an organization is only
-- ever referenced together with its organization's id, and ids are compared bytewise, which keeps time-ordered ids cheap.

create table users (
  id text collate "C" primary key,
  name text not null,
  -- As it is shown and mailed to; email_key is the form in which two addresses are the same account.
  email text not null,
  email_key text collate "C" not null constraint users_email_key unique,
  -- argon2id in PHC format; null for an account that has no password.
  password_hash text,
  is_instance_admin boolean not null default false,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- What memberships keep a copy of.
  constraint users_shown unique (id, name, email)
);

create table organizations (
  id text collate "C" primary key,
  name text not null,
  slug text collate "C" not null constraint organizations_slug unique,
  plan text not null,
  require_two_factor boolean not null default false,
  domain_auto_join boolean not null default false,
  sso_enabled boolean not null default false,
  -- Kept by triggers on memberships, in the transaction that changes them: counting rows grows with the organization.
  owner_count integer not null default 0,
  admin_count integer not null default 0,
  plain_member_count integer not null default 0,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

create table memberships (
  organization_id text collate "C" not null references organizations (id),
  user_id text collate "C" not null,
  -- What the member list shows is kept beside the membership; the foreign key keeps it true.
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

create function count_members() returns trigger language plpgsql as $$
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
  end if;
  return null;
end $$;

create trigger memberships_counted_on_insert after insert on memberships
  referencing new table as new_rows for each statement execute function count_members();
create trigger memberships_counted_on_delete after delete on memberships
  referencing old table as old_rows for each statement execute function count_members();

-- last_seen_at changes every minute and must not touch the counters: only a change of role does.
create function count_member_role() returns trigger language plpgsql as $$
begin
  update organizations set
    owner_count = owner_count + (new.role = 'owner')::int - (old.role = 'owner')::int,
    admin_count = admin_count + (new.role = 'admin')::int - (old.role = 'admin')::int,
    plain_member_count = plain_member_count + (new.role = 'member')::int - (old.role = 'member')::int
  where id = new.organization_id;
  return null;
end $$;

create trigger memberships_counted_on_role_change after update of role on memberships
  for each row when (old.role is distinct from new.role) execute function count_member_role();

create table api_keys (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id),
  name text not null,
  environment text collate "C" not null check (environment in ('live', 'test')),
  scopes text[] not null check (cardinality(scopes) between 1 and 10),
  -- SHA-256 of the whole key; the key itself is stored nowhere.
  secret_hash bytea not null constraint api_keys_secret_hash unique,
  created_by text collate "C" not null references users (id),
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  unique (organization_id, id)
);

create index api_keys_creator on api_keys (created_by);

create table invitations (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id),
  email text not null,
  email_key text collate "C" not null,
  role text collate "C" not null check (role in ('admin', 'member')),
  -- A pending invitation past its end is expired for every reader; the row says so once something writes to it.
  status text collate "C" not null check (status in ('pending', 'accepted', 'revoked', 'expired')),
  -- SHA-256 of the token in the mailed link. The token is derived from the id and this version, and is stored nowhere.
  token_hash bytea not null constraint invitations_token_hash unique,
  token_version integer not null default 1,
  -- Id and name of the person or key that invited.
  invited_by text collate "C" not null,
  invited_by_name text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  accepted_by text collate "C" references users (id),
  unique (organization_id, id)
);

create unique index invitations_one_pending on invitations (organization_id, email_key) where status = 'pending';
create index invitations_newest on invitations (organization_id, created_at desc, id desc);

create table engagements (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id),
  name text not null,
  description text not null,
  status text collate "C" not null check (status in ('active', 'completed', 'archived')),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (organization_id, id)
);

create index engagements_created on engagements (organization_id, created_at, id);
create index engagements_updated on engagements (organization_id, updated_at, id);
create index engagements_name on engagements (organization_id, name, id);
create index engagements_status on engagements (organization_id, status, id);

create table sessions (
  id text collate "C" primary key,
  -- SHA-256 of the token in the cookie.
  token_hash bytea not null constraint sessions_token_hash unique,
  user_id text collate "C" not null references users (id),
  user_agent text not null,
  address text not null,
  created_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  -- The absolute end; the idle limit counts from last_seen_at.
  expires_at timestamptz(3) not null
);

create index sessions_user on sessions (user_id, created_at);
create index sessions_end on sessions (expires_at);

-- Failed attempts by bucket (an account, an address, a second-factor ticket): one row per bucket and window, shared by
-- all processes, so that a limit holds wherever the next attempt arrives.
create table attempts (
  bucket text collate "C" primary key,
  failures integer not null,
  opened_at timestamptz(3) not null,
  blocked_until timestamptz(3)
);

create table audit_entries (
  id text collate "C" primary key,
  -- Null for what concerns an account or the instance and no organization.
  organization_id text collate "C" references organizations (id),
  actor_type text collate "C" not null check (actor_type in ('user', 'key', 'system')),
  actor_id text collate "C",
  actor_name text not null,
  actor_environment text collate "C",
  action text collate "C" not null,
  object_type text collate "C" not null,
  object_id text collate "C",
  address text,
  before jsonb,
  after jsonb,
  created_at timestamptz(3) not null
);

create index audit_entries_newest on audit_entries (organization_id, id desc);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;

create trigger audit_entries_append_only before update or delete or truncate on audit_entries
  for each statement execute function refuse_change();

-- The outbox: what is to be mailed, and what became of it. Contents are rendered when they are sent, from `kind` and
-- `data`, so that no link with a token is ever stored.
create table mails (
  id text collate "C" primary key,
  organization_id text collate "C" references organizations (id),
  kind text collate "C" not null,
  recipient text not null,
  data jsonb not null,
  -- The object that the mail is about, such as an invitation's id.
  subject_id text collate "C",
  status text collate "C" not null check (status in ('queued', 'sent', 'failed', 'cancelled')),
  attempts integer not null default 0,
  last_error text,
  created_at timestamptz(3) not null,
  sent_at timestamptz(3)
);

create index mails_subject on mails (subject_id, created_at desc);
create index mails_newest on mails (created_at desc, id desc);
create index mails_recipient on mails (recipient, created_at);
