-- API keys, of people, terminals and agents; sign-ins in a terminal; and agents.

create table api_keys (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id),
  name text not null,
  -- key: made by people, for the organization. login: of a sign-in in a terminal. agent: of an agent.
  kind text collate "C" not null default 'key' check (kind in ('key', 'login', 'agent')),
  -- Keys of the kinds `login` and `agent` act within the rights of a person, as they are at each request, and end with the
  -- person's membership. Null for keys of the kind `key`, which belong to the organization.
  owner_id text collate "C",
  -- The agent, as an author in `users`.
  agent_id text collate "C" references users (id),
  environment text collate "C" not null check (environment in ('live', 'test')),
  scopes text[] not null check (cardinality(scopes) between 1 and 12),
  -- all: every engagement. open: those that the whole organization sees. listed: only those in api_key_engagements.
  engagement_access text collate "C" not null default 'all' check (engagement_access in ('all', 'open', 'listed')),
  -- SHA-256 of the whole key. The key itself is not stored.
  secret_hash bytea not null constraint api_keys_secret_hash unique,
  created_by text collate "C" not null references users (id),
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  -- From this moment the key is refused like a deleted one. Null: until it is deleted.
  expires_at timestamptz(3),
  -- From this moment the key is refused like a deleted one, until its agent is started again.
  stopped_at timestamptz(3),
  unique (organization_id, id),
  foreign key (organization_id, owner_id) references memberships (organization_id, user_id) on delete cascade,
  check ((kind = 'key') = (owner_id is null)),
  check (kind <> 'agent' or agent_id is not null),
  check (kind = 'agent' or (agent_id is null and stopped_at is null))
);

create index api_keys_creator on api_keys (created_by);
create index api_keys_owner on api_keys (organization_id, owner_id) where owner_id is not null;
create unique index api_keys_agent on api_keys (agent_id) where agent_id is not null;

-- The viewer whose engagements a key with a list of engagements may see at most: `all` for one without an owner.
create function viewer_behind_key(organization text, key text) returns text
language sql stable parallel safe
as $$
  select case when k.owner_id is null or m.role in ('owner', 'admin') then 'all' else k.owner_id end
  from api_keys k left join memberships m on m.organization_id = k.organization_id and m.user_id = k.owner_id
  where k.organization_id = organization and k.id = key
$$;

-- A caller cannot replace the tables that it reads by others through the search path.
do $$ begin
  execute format('alter function viewer_behind_key(text, text) set search_path = %I, pg_temp', current_schema());
end $$;

-- Codes by which a terminal gets a key once a person approves it in the browser (RFC 8628).
create table device_authorizations (
  id text collate "C" primary key,
  -- SHA-256 of the terminal's code, or of the authorization code of another client. The code itself is not stored.
  device_code_hash bytea not null constraint device_authorizations_device_code_hash unique,
  -- A keyed hash of the code that a person enters: it is short, so a plain hash could be tried out. Only terminals have one.
  user_code_hash bytea constraint device_authorizations_user_code_hash unique,
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
  -- For a client that opens a browser: the address of its metadata document.
  client_id text,
  redirect_uri text,
  -- S256 of the client's verifier, in base64url (RFC 7636).
  code_challenge text,
  resource text,
  -- The client's own parameter `state`, which its answer repeats.
  client_state text,
  check ((user_code_hash is null) = (client_id is not null)),
  check (num_nulls(client_id, redirect_uri, code_challenge, resource) in (0, 4)),
  check (client_id is not null or client_state is null),
  unique (organization_id, id),
  foreign key (organization_id, approved_by) references memberships (organization_id, user_id) on delete cascade
);

create index device_authorizations_age on device_authorizations (expires_at);
create index device_authorizations_approver on device_authorizations (organization_id, approved_by);

-- Programs that test on their own. Each has one key of the kind `agent`, within the rights of its owner.
create table agents (
  id text collate "C" primary key references users (id),
  organization_id text collate "C" not null references organizations (id),
  -- The same as in `users` and of its key.
  name text not null,
  owner_id text collate "C" not null,
  description text not null,
  -- Deleting the key deletes the agent.
  key_id text collate "C" not null,
  -- The model behind it, as its people name it.
  model text not null,
  -- Whether it is stopped is in the row of its key, which every request reads. Names as of that moment.
  stopped_by text collate "C" references users (id),
  stop_reason text,
  created_by text collate "C" not null references users (id),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (organization_id, id),
  unique (organization_id, key_id),
  foreign key (organization_id, key_id) references api_keys (organization_id, id) on delete cascade,
  foreign key (organization_id, owner_id) references memberships (organization_id, user_id) on delete cascade
);

create index agents_owner on agents (organization_id, owner_id);
create index agents_stopped_by on agents (stopped_by) where stopped_by is not null;
create index agents_creator on agents (created_by);
