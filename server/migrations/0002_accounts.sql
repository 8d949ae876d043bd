-- What a person does for the own account: a second factor, a forgotten password, known devices, which mails are wanted;
-- and what the audit log and the outbox need to be searched.

alter table users
  -- Mails about security are sent whatever these say.
  add column notify_membership boolean not null default true,
  add column notify_api_keys boolean not null default true,
  add column notify_invitations boolean not null default true;

create table second_factors (
  user_id text collate "C" primary key references users (id),
  -- AES-256-GCM; table, column and user are authenticated with it.
  secret bytea not null,
  -- Null until the first code proved that the app has the secret: only then does it count.
  confirmed_at timestamptz(3),
  -- Number of the newest 30-second step whose code was used: it and those before work no more.
  last_step integer not null default 0,
  created_at timestamptz(3) not null
);

-- A used code's row is deleted.
create table recovery_codes (
  user_id text collate "C" not null references users (id),
  -- HMAC-SHA-256 under a key of the server: the rows alone cannot be tried against guesses.
  code_hash bytea not null,
  primary key (user_id, code_hash)
);

-- Password was right, second factor is missing.
create table sign_in_tickets (
  -- SHA-256 of the token in the ticket cookie.
  token_hash bytea primary key,
  user_id text collate "C" not null references users (id),
  tries integer not null default 0,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);

create index sign_in_tickets_user on sign_in_tickets (user_id, created_at);
create index sign_in_tickets_end on sign_in_tickets (expires_at);

-- One per account: a newer link replaces the older.
create table password_resets (
  user_id text collate "C" primary key references users (id),
  id text collate "C" not null constraint password_resets_id unique,
  purpose text collate "C" not null check (purpose in ('reset', 'welcome')),
  -- SHA-256 of the token in the mailed link. The token is derived from the id and is stored nowhere.
  token_hash bytea not null constraint password_resets_token_hash unique,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);

create index password_resets_end on password_resets (expires_at);

-- Browsers that an account was signed in from: a sign-in from none of them is mailed to the person.
create table known_devices (
  user_id text collate "C" not null references users (id),
  -- SHA-256 of the token in the device cookie.
  device_hash bytea not null,
  user_agent text not null,
  -- IPv4 address, or the /64 of an IPv6 one.
  network text collate "C" not null,
  first_seen_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  primary key (user_id, device_hash)
);

create index known_devices_seen on known_devices (last_seen_at);

create index audit_entries_action on audit_entries (organization_id, action, id desc);
create index audit_entries_actor on audit_entries (organization_id, actor_id, id desc);
create index mails_status on mails (status, id desc);
