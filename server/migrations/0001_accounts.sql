-- User accounts and sign-in. Ids sort by creation time; they compare byte by byte (collation "C"), which keeps their indexes
-- small.

create table users (
  id text collate "C" primary key,
  name text not null,
  -- Shown and mailed to. Two addresses with the same email_key belong to the same account.
  email text not null,
  email_key text collate "C" not null constraint users_email_key unique,
  -- argon2id in PHC format; null for an account without a password.
  password_hash text,
  is_instance_admin boolean not null default false,
  -- Optional emails. Emails about security are always sent.
  notify_membership boolean not null default true,
  notify_api_keys boolean not null default true,
  notify_invitations boolean not null default true,
  notify_mentions boolean not null default true,
  notify_assignments boolean not null default true,
  -- How dates and times are shown. The defaults: 3 Feb 2031, 14:05.
  date_format text not null default 'day_month_year' check (date_format in ('day_month_year', 'month_day_year', 'dotted', 'iso')),
  time_format text not null default '24h' check (time_format in ('24h', '12h')),
  -- When an operator disabled the account: no one can sign in with it, and keys that act within its rights are refused.
  disabled_at timestamptz(3),
  -- When an operator deleted the account. The row stays, because texts name it as their author, without its name and address.
  deleted_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- For the foreign key of memberships, which keep a copy of name and address.
  constraint users_shown unique (id, name, email),
  -- What an agent writes names it as the author, so it has a row here that no one can sign in with: no password, and an address
  -- that no mail address equals.
  constraint users_agents check (
    id not like 'agt\_%' or (password_hash is null and not is_instance_admin and email = '' and email_key = id)
  ),
  -- No one can sign in with a deleted account.
  constraint users_deleted check (
    deleted_at is null
    or (password_hash is null and not is_instance_admin and email = '' and email_key = id and disabled_at is not null)
  )
);

create table sessions (
  id text collate "C" primary key,
  -- SHA-256 of the token in the cookie.
  token_hash bytea not null constraint sessions_token_hash unique,
  user_id text collate "C" not null references users (id),
  method text collate "C" not null default 'password' check (method in ('password', 'passkey', 'oidc', 'workos')),
  -- Needed to sign out at the identity provider (an id token or the provider's session id). AES-256-GCM; the associated data
  -- is table, column and user.
  provider_session bytea,
  -- When the provider last asked the user to sign in again; null without a provider.
  confirmed_at timestamptz(3),
  user_agent text not null,
  address text not null,
  created_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  -- The absolute end; the idle limit counts from last_seen_at.
  expires_at timestamptz(3) not null
);

create index sessions_user on sessions (user_id, created_at);
create index sessions_end on sessions (expires_at);

create table second_factors (
  user_id text collate "C" primary key references users (id),
  -- AES-256-GCM; the associated data is table, column and user.
  secret bytea not null,
  -- Null until the first code proves that the authenticator app has the secret. Only a confirmed factor counts.
  confirmed_at timestamptz(3),
  -- The newest 30-second step whose code was used. Codes of this step and of earlier ones are refused.
  last_step integer not null default 0,
  created_at timestamptz(3) not null
);

-- Unused recovery codes: using one deletes its row.
create table recovery_codes (
  user_id text collate "C" not null references users (id),
  -- HMAC-SHA-256 under a key of the server, so that codes cannot be guessed from the rows.
  code_hash bytea not null,
  primary key (user_id, code_hash)
);

create table passkeys (
  id text collate "C" primary key,
  user_id text collate "C" not null references users (id),
  name text not null,
  credential_id bytea not null constraint passkeys_credential unique,
  -- COSE key, as the authenticator sent it.
  public_key bytea not null,
  -- From the last use. A counter that does not grow indicates a copied key; synced passkeys stay at 0.
  sign_count bigint not null,
  -- How the browser can reach the authenticator: a hint for the next sign-in.
  transports text[] not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3)
);

create index passkeys_user on passkeys (user_id, id);

-- Challenges that a browser was asked to sign, one per purpose and holder. Reading one deletes it, so each works once.
create table passkey_challenges (
  purpose text collate "C" not null check (purpose in ('enrol', 'confirm', 'sign-in')),
  -- SHA-256 of the sign-in ticket or of the session's id: a signature counts only where the challenge was issued.
  holder bytea not null,
  challenge text not null,
  expires_at timestamptz(3) not null,
  primary key (purpose, holder)
);

create index passkey_challenges_end on passkey_challenges (expires_at);

-- Sign-ins whose first step succeeded (the password, or the identity provider) and whose second factor is missing.
create table pending_sign_ins (
  -- SHA-256 of the token in the ticket cookie.
  token_hash bytea primary key,
  user_id text collate "C" not null references users (id),
  method text collate "C" not null default 'password' check (method in ('password', 'passkey', 'oidc', 'workos')),
  -- As in sessions.
  provider_session bytea,
  verified_email text,
  tries integer not null default 0,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);

create index pending_sign_ins_user on pending_sign_ins (user_id, created_at);
create index pending_sign_ins_end on pending_sign_ins (expires_at);

-- Links that set a password. The link of a new account and a link requested on the sign-in page exist side by side: someone
-- who requests one for another person's address does not invalidate that person's first link.
create table password_resets (
  user_id text collate "C" not null references users (id),
  -- Requested on the sign-in page, by anyone who knows the address. A new link replaces only an older one of the same kind.
  requested boolean not null,
  id text collate "C" not null constraint password_resets_id unique,
  purpose text collate "C" not null check (purpose in ('reset', 'welcome')),
  -- SHA-256 of the token in the mailed link. The token is derived from the id and is not stored.
  token_hash bytea not null constraint password_resets_token_hash unique,
  -- Number of mails that contain the link. A repeated request mails the same link again, a few times, so that a stranger
  -- cannot invalidate it (finding S36).
  mails integer not null default 1,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (user_id, requested)
);

create index password_resets_end on password_resets (expires_at);

-- Links that make a browser known to an account, one per account: required for signing in after too many wrong passwords.
create table browser_confirmations (
  user_id text collate "C" primary key references users (id),
  id text collate "C" not null constraint browser_confirmations_id unique,
  -- SHA-256 of the token in the mailed link. The token is derived from the id and is not stored.
  token_hash bytea not null constraint browser_confirmations_token_hash unique,
  -- As in password_resets.
  mails integer not null default 1,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);

create index browser_confirmations_end on browser_confirmations (expires_at);

-- Browsers that have signed in to an account. The user gets an email about a sign-in from any other.
create table known_devices (
  user_id text collate "C" not null references users (id),
  -- SHA-256 of the token in the device cookie.
  device_hash bytea not null,
  user_agent text not null,
  -- IPv4 address, or the /64 of an IPv6 address.
  network text collate "C" not null,
  first_seen_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  primary key (user_id, device_hash)
);

create index known_devices_seen on known_devices (last_seen_at);

-- Accounts at identity providers. Only issuer and subject identify a person; an email address never does.
create table linked_accounts (
  id text collate "C" primary key,
  user_id text collate "C" not null references users (id),
  -- `workos:<client id>` for WorkOS.
  issuer text collate "C" not null,
  subject text collate "C" not null,
  -- As the provider sent it at the last sign-in; for display only.
  email text not null,
  linked_at timestamptz(3) not null,
  last_used_at timestamptz(3) not null,
  constraint linked_accounts_subject unique (issuer, subject),
  constraint linked_accounts_user unique (user_id, issuer)
);

-- Browsers that were sent to an identity provider. Each may come back once.
create table sign_in_flows (
  -- SHA-256 of the state that the provider sends back.
  state_hash bytea primary key,
  -- SHA-256 of the flow cookie: the browser that comes back must be the one that left.
  browser_hash bytea not null,
  -- Code verifier, nonce and purpose. AES-256-GCM; the associated data is table, column and state.
  sealed bytea not null,
  expires_at timestamptz(3) not null
);

create index sign_in_flows_end on sign_in_flows (expires_at);

-- Failed attempts by bucket (an account, an address, a sign-in ticket): one row per bucket and window. All processes share
-- the rows, so that a limit holds wherever the next attempt arrives.
create table throttle_buckets (
  bucket text collate "C" primary key,
  failures integer not null,
  opened_at timestamptz(3) not null,
  blocked_until timestamptz(3)
);

-- The steps of the first run of each account. With a time the first run is finished.
create table first_runs (
  user_id text collate "C" primary key references users (id) on delete cascade,
  -- {step: 'done' or 'skipped'}
  steps jsonb not null default '{}',
  finished_at timestamptz(3)
);
