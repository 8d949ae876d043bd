-- Custom fields of clients, engagements, targets, findings, tasks and library entries: their definitions, and one row for each
-- value, so that a deleted field comes back with its values.

create table field_definitions (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id),
  object_type text collate "C" not null check (object_type in ('client', 'engagement', 'target', 'finding', 'task', 'library_entry')),
  key text collate "C" not null,
  type text collate "C" not null check (type in ('text', 'markdown', 'number', 'boolean', 'date', 'url', 'choice', 'choices', 'person')),
  label text not null,
  options text[] not null default '{}',
  required boolean not null default false,
  help text not null default '',
  position integer not null check (position between 0 and 9999),
  -- Values are hidden from then on, and deleted with the definition 30 days later.
  deleted_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (organization_id, id)
);

create unique index field_definitions_key on field_definitions (organization_id, object_type, key) where deleted_at is null;
create index field_definitions_deleted on field_definitions (deleted_at) where deleted_at is not null;

create table field_values (
  organization_id text collate "C" not null,
  -- Null for objects of the organization.
  engagement_id text collate "C",
  definition_id text collate "C" not null,
  -- No foreign key, because the object is in one of several tables; a trigger deletes the values with it.
  object_id text collate "C" not null,
  value jsonb not null,
  primary key (organization_id, object_id, definition_id),
  foreign key (organization_id, definition_id) references field_definitions (organization_id, id) on delete cascade,
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade
);

create index field_values_definition on field_values (organization_id, definition_id, object_id);
create index field_values_engagement on field_values (organization_id, engagement_id);

-- In place of the policy that every table with this column gets: values of a client are visible to those who see the client,
-- also to keys that are limited to engagements.
create policy visible_engagement on field_values as restrictive using (case
  when (select current_setting('sortie.viewer', true)) = '**' then true
  when engagement_id is not null then
    exists (select from engagements e where e.organization_id = field_values.organization_id and e.id = field_values.engagement_id)
  when object_id like 'cli\_%' then
    exists (select from clients c where c.organization_id = field_values.organization_id and c.id = field_values.object_id)
  else (select current_setting('sortie.viewer', true)) not like 'key\_%' end);

-- Trigger of every table whose objects have fields. Sees every row: a deleted client no longer shows its values to anyone else.
create function field_values_gone() returns trigger language plpgsql as $$
declare
  viewer text := current_setting('sortie.viewer', true);
begin
  perform set_config('sortie.viewer', '**', true);
  delete from field_values v using gone g where v.organization_id = g.organization_id and v.object_id = g.id;
  perform set_config('sortie.viewer', viewer, true);
  return null;
end $$;

create trigger field_values_gone after delete on clients referencing old table as gone for each statement execute function field_values_gone();
