-- Lists of what is to be checked. Those that come with the program are in the program; these are an organization's own.

create table methodologies (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id),
  name text collate names not null,
  description text not null,
  version text not null,
  -- [{key, title, description, group, appliesTo}], checked by the contract; lists do without it.
  items jsonb not null,
  item_count integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (organization_id, id)
);
