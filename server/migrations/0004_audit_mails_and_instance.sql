-- The audit log, the email outbox, and the state of the instance as a whole.

-- Counts restores of this database. The numbers of transactions start again in a restored one.
create table audit_epoch (
  -- At most one row; none before the first restore.
  id boolean primary key default true check (id),
  epoch integer not null
);

create function audit_epoch() returns integer language sql stable as $$
  select coalesce((select epoch from audit_epoch), 0)
$$;

create table audit_entries (
  id text collate "C" primary key,
  -- Null for entries about an account or the instance.
  organization_id text collate "C" references organizations (id),
  -- The activity of an engagement is the part of the log about it. No foreign key: the log outlives the engagement.
  about_engagement_id text collate "C",
  actor_type text collate "C" not null check (actor_type in ('user', 'key', 'agent', 'system')),
  actor_id text collate "C",
  actor_name text not null,
  actor_environment text collate "C",
  action text collate "C" not null,
  object_type text collate "C" not null,
  object_id text collate "C",
  address text,
  before jsonb,
  after jsonb,
  created_at timestamptz(3) not null,
  -- The order in which programs read the log. Ids are made before the commit, so an entry with a lower id can appear later.
  -- Transactions below the oldest one under way have all ended: nothing appears before their entries any more.
  epoch integer not null default audit_epoch(),
  transaction bigint not null default pg_current_xact_id()::text::bigint
);

create index audit_entries_log on audit_entries (organization_id, epoch, transaction, id);

create index audit_entries_newest on audit_entries (organization_id, id desc);
create index audit_entries_action on audit_entries (organization_id, action, id desc);
create index audit_entries_actor on audit_entries (organization_id, actor_id, id desc);
create index audit_entries_engagement on audit_entries (
  organization_id, (case when object_type = 'engagement' then object_id else about_engagement_id end), id);
create index audit_entries_object on audit_entries (organization_id, object_id, id);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;

create trigger audit_entries_append_only before update or truncate on audit_entries
  for each statement execute function refuse_change();

-- Entries are deleted only with their organization.
create trigger audit_entries_stay before delete on audit_entries
  for each row when (old.organization_id is null or not is_removed_organization(old.organization_id))
  execute function refuse_change();

-- The server's role may not delete entries. This function deletes those of a removed organization, as the owner of the tables.
create function delete_audit_entries_of(organization text, at_once integer) returns integer
language plpgsql security definer set search_path from current
as $$
declare
  deleted integer;
begin
  if not is_removed_organization(organization) then
    raise exception 'organization % is not removed', organization;
  end if;
  delete from audit_entries where id = any(array(select id from audit_entries where organization_id = organization limit at_once));
  get diagnostics deleted = row_count;
  return deleted;
end $$;

-- The outbox: emails to send, and their outcome. The text is rendered from `kind` and `data` at send time, so that no link
-- with a token is stored.
create table mails (
  id text collate "C" primary key,
  organization_id text collate "C" references organizations (id),
  kind text collate "C" not null,
  recipient text not null,
  data jsonb not null,
  -- The object that the email is about, such as the id of an invitation.
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
create index mails_status on mails (status, id desc);

-- Identifies this database, so that the server notices a copy restored from a dump: everything revoked since the dump would
-- be valid there again.
create table database_identity (
  -- At most one row.
  id boolean primary key default true check (id),
  -- Of the Postgres installation; the same on its standbys.
  system_identifier text not null,
  -- Object ids of the database and of some of its tables. A restored table has a new one; a table that pg_upgrade moved
  -- keeps its own.
  database_oid text not null,
  table_oids text not null,
  postgres_major integer not null
);

-- The newest complete backup of this database, for a metric and the instance page. The operator's command writes the row.
create table last_backup (
  -- At most one row.
  id boolean primary key default true check (id),
  -- A restore brings the database back to this moment.
  taken_at timestamptz(3) not null,
  bytes bigint not null
);

-- In safe mode an instance sends nothing to other systems: a restored or copied database must not scan while the original
-- does.
create table safe_mode (
  -- At most one row; none if the instance has never been in safe mode.
  id boolean primary key default true check (id),
  -- A sentence for people.
  reason text not null,
  since timestamptz(3) not null,
  -- Null while safe mode is on. Requests made before this moment are not carried out after it.
  ended_at timestamptz(3)
);

-- The storage directory of this database, which holds the same id in a file. A server connected to the wrong database would
-- otherwise treat every file as an orphan.
create table storage_binding (
  -- At most one row.
  id boolean primary key default true check (id),
  storage_id text not null,
  -- Distinguishes the directory, or the one of the embedded database, from a copy of it; null where nothing does.
  place text,
  -- Counts minutes in which a worker was alive. The directory holds the same number: a higher one there means that the
  -- database is in an older state, or that another database uses the directory.
  beat bigint not null default 0,
  beat_token text not null default '',
  bound_at timestamptz(3) not null,
  -- Number of files without a row that the newest clean-up found and kept because there were too many; 0 if it kept none.
  left_files integer not null default 0
);

-- Keys of former values of SESSION_SECRET that stored hashes still need: a hash, such as that of a recovery code, cannot
-- be encrypted again. Each is encrypted with the present SESSION_SECRET.
create table kept_keys (
  -- SHA-256 of the key, in hex.
  id text collate "C" primary key,
  -- AES-256-GCM; the associated data is table, column and id.
  sealed bytea not null,
  kept_at timestamptz(3) not null
);
