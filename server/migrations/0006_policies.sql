-- What the settings of an organization rest on: passkeys beside the authenticator app, domains proved by a DNS record, and
-- the memory of who was removed or left, so that nobody comes back by a domain alone.

create table passkeys (
  id text collate "C" primary key,
  user_id text collate "C" not null references users (id),
  name text not null,
  credential_id bytea not null constraint passkeys_credential unique,
  -- COSE key, as the authenticator gave it.
  public_key bytea not null,
  -- Of the last use. One that does not grow tells of a copy; synced passkeys stay at 0.
  sign_count bigint not null,
  -- How the browser can reach it; only a hint for the next time.
  transports text[] not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3)
);

create index passkeys_user on passkeys (user_id, id);

-- What a browser was asked to sign. One per purpose and holder; read by deleting it, so that an answer works once.
create table passkey_challenges (
  purpose text collate "C" not null check (purpose in ('enrol', 'confirm', 'sign-in')),
  -- SHA-256 of the sign-in ticket or of the session's id: an answer counts only where the question was asked.
  holder bytea not null,
  challenge text not null,
  expires_at timestamptz(3) not null,
  primary key (purpose, holder)
);

create index passkey_challenges_end on passkey_challenges (expires_at);

create table organization_domains (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id),
  -- ASCII form (UTS 46), in lower case: compared with the domain of an address as it is stored.
  domain text collate "C" not null,
  -- What the TXT record must hold; public once it is there.
  token text not null,
  -- The last time that the record was found. Null: never, or it was found missing since.
  proved_at timestamptz(3),
  checked_at timestamptz(3),
  -- What the last check met.
  check_result text collate "C" check (check_result in ('found', 'missing', 'unanswered')),
  created_at timestamptz(3) not null,
  unique (organization_id, id),
  constraint organization_domains_once unique (organization_id, domain)
);

create index organization_domains_proved on organization_domains (domain) where proved_at is not null;

-- Ended memberships of people who have not come back by an invitation.
create table ended_memberships (
  organization_id text collate "C" not null references organizations (id),
  user_id text collate "C" not null references users (id),
  ended_at timestamptz(3) not null,
  primary key (organization_id, user_id)
);

create index ended_memberships_user on ended_memberships (user_id);
