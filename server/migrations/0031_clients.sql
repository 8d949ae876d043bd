-- Clients of the organization. Until now an engagement had only the name of its client.

create table clients (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id),
  name text collate names not null,
  short_name text collate names not null default '',
  domains text[] not null default '{}',
  -- [{name, role, phone, email}]
  contacts jsonb not null default '[]',
  notes text not null default '',
  -- BCP 47.
  language text collate "C",
  -- {archiveAfterDays, deleteAfterDays}; null: the rule of the organization.
  retention jsonb,
  -- Null for an API key, which the audit log names.
  created_by text collate "C" references users (id),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  searched text not null generated always as (lower((name || chr(10) || short_name) collate names)) stored,
  unique (organization_id, id)
);

create index clients_name on clients (organization_id, name, id);
create index clients_created on clients (organization_id, created_at, id);
create index clients_updated on clients (organization_id, updated_at, id);
create index clients_folded_name on clients (organization_id, lower(name collate names));
create index clients_creator on clients (created_by);

alter table engagements add column client_id text collate "C";

-- One client for each name, whatever its letter case; the engagement whose name is the oldest decides how it is written.
insert into clients (id, organization_id, name, created_at, updated_at)
select 'cli_' || left(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 26), organization_id,
  (array_agg(client_name order by created_at, id))[1], min(created_at), min(created_at)
from engagements where client_name <> '' group by organization_id, lower(client_name collate names);

update engagements e set client_id = c.id, client_name = c.name from clients c
where c.organization_id = e.organization_id and e.client_name <> '' and lower(c.name collate names) = lower(e.client_name collate names);

alter table engagements
  add foreign key (organization_id, client_id) references clients (organization_id, id),
  -- The name is a copy, for the list and for search.
  add check ((client_id is null) = (client_name = ''));

create index engagements_client on engagements (organization_id, client_id, id);

-- The next two also reach engagements that the caller does not see. An ordinary role may not fix a setting of this kind to a
-- function, so they change it and change it back; an error rolls it back with the transaction.

-- Whether an engagement has this client.
create function client_has_engagements(organization text, client text) returns boolean
language plpgsql volatile as $$
declare
  viewer text := current_setting('sortie.viewer', true);
  found boolean;
begin
  perform set_config('sortie.viewer', '*', true);
  found := exists (select from engagements e where e.organization_id = organization and e.client_id = client);
  perform set_config('sortie.viewer', viewer, true);
  return found;
end $$;

create function copy_client_name() returns trigger language plpgsql as $$
declare
  viewer text := current_setting('sortie.viewer', true);
begin
  perform set_config('sortie.viewer', '*', true);
  update engagements set client_name = new.name where organization_id = new.organization_id and client_id = new.id;
  perform set_config('sortie.viewer', viewer, true);
  return null;
end $$;

-- In addition to the owner, admins and keys for all engagements, a client is visible to its creator and to those who see one of its
-- engagements: their own policy applies within this one. A key for open engagements also sees clients without any engagement.
-- Adding a client is always allowed; the service decides.
create policy visible_client on clients as restrictive using (case
  when (select current_setting('sortie.viewer', true)) in ('*', 'all') then true
  else created_by = (select current_setting('sortie.viewer', true))
    or exists (select from engagements e where e.organization_id = clients.organization_id and e.client_id = clients.id)
    or (select current_setting('sortie.viewer', true)) = 'open' and not client_has_engagements(organization_id, id)
  end) with check (true);

create trigger copy_name after update of name on clients for each row when (old.name <> new.name) execute function copy_client_name();

alter table files drop constraint files_owner_type_check,
  add constraint files_owner_type_check check (owner_type in ('engagement', 'result', 'import', 'task', 'page', 'request', 'client'));
