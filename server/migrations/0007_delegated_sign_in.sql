-- Sign-in through an identity provider: who a person is there, how each session was made, and what the provider's
-- directory says of people. Ids of the provider decide everything; an address alone decides nothing.

create table identities (
  id text collate "C" primary key,
  user_id text collate "C" not null references users (id),
  -- Who vouches, and for whom: the two together are the identity. `workos:<client id>` for WorkOS.
  issuer text collate "C" not null,
  subject text collate "C" not null,
  -- As the provider said at the last sign-in; for people to read.
  email text not null,
  linked_at timestamptz(3) not null,
  last_used_at timestamptz(3) not null,
  constraint identities_subject unique (issuer, subject),
  constraint identities_user unique (user_id, issuer)
);

alter table sessions
  add column method text collate "C" not null default 'password' check (method in ('password', 'passkey', 'oidc', 'workos')),
  -- What signing out at the provider needs (an id token, a session id there): AES-256-GCM; table, column and user are
  -- authenticated with it.
  add column provider_session bytea,
  -- When the provider last made this person sign in anew; null without a provider.
  add column confirmed_at timestamptz(3);

-- The provider vouched, the account's own second factor is missing.
alter table sign_in_tickets
  add column method text collate "C" not null default 'password' check (method in ('password', 'passkey', 'oidc', 'workos')),
  add column provider_session bytea,
  add column verified_email text;

-- Somebody was sent to the provider and is expected back, once.
create table sign_in_flows (
  -- SHA-256 of the state that the provider hands back.
  state_hash bytea primary key,
  -- SHA-256 of the flow cookie: who comes back must be who left.
  browser_hash bytea not null,
  -- Code verifier, nonce and purpose: AES-256-GCM; table, column and state are authenticated with it.
  sealed bytea not null,
  expires_at timestamptz(3) not null
);

create index sign_in_flows_end on sign_in_flows (expires_at);

-- Which organization of the provider is which one here: said by an instance administrator.
create table directory_organizations (
  organization_id text collate "C" primary key references organizations (id),
  provider_id text collate "C" not null constraint directory_organizations_provider unique,
  linked_at timestamptz(3) not null
);

create table directory_events (
  -- The provider's own id: a replay finds it taken, by whichever of the two ways it came first.
  id text collate "C" primary key,
  type text collate "C" not null,
  event_at timestamptz(3) not null,
  -- The fields that can be applied; nothing else of the notification is kept. Null: of a type or form that is not used.
  change jsonb,
  received_at timestamptz(3) not null,
  -- Null until its job ran.
  outcome text collate "C" check (outcome in ('applied', 'superseded', 'not-used'))
);

create index directory_events_received on directory_events (received_at);

-- What the provider's directory holds, each as of the newest event about it. What was removed stays, marked, so that an
-- older event that comes late does not bring it back.
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

-- How far the provider's list of events was read.
create table directory_cursors (
  issuer text collate "C" primary key,
  after_event_id text collate "C",
  read_at timestamptz(3) not null
);

-- Whether the provider's word ended it, and can begin it anew; what a person here ended, an invitation alone does.
alter table ended_memberships add column by_provider boolean not null default false;
