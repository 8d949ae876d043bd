-- Agents: programs that test on their own. Each has one key of the kind `agent`, within the rights of its owner.

-- What an agent writes names it as the author, so it has a row among the authors of everything, `users`, that no one can
-- sign in with: no password, and an address that no mail address equals.
alter table users add constraint users_agents check (
  id not like 'agt\_%' or (password_hash is null and not is_instance_admin and email = '' and email_key = id)
);

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

alter table api_keys
  -- The agent, as an author in `users`.
  add column agent_id text collate "C" references users (id),
  -- From this moment the key is refused like a deleted one, until its agent is started again.
  add column stopped_at timestamptz(3),
  add check (kind <> 'agent' or agent_id is not null),
  add check (kind = 'agent' or (agent_id is null and stopped_at is null));

create unique index api_keys_agent on api_keys (agent_id) where agent_id is not null;

alter table audit_entries
  drop constraint audit_entries_actor_type_check,
  add constraint audit_entries_actor_type_check check (actor_type in ('user', 'key', 'agent', 'system'));
