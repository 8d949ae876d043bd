-- Filters and sort of a list under a name; they go with the membership of whose they are.
create table saved_views (
  id text collate "C" primary key,
  organization_id text collate "C" not null,
  owner_id text collate "C" not null,
  -- Null: of the whole organization.
  engagement_id text collate "C",
  list text collate "C" not null,
  name text collate names not null,
  search text not null,
  is_shared boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (organization_id, id),
  foreign key (organization_id, owner_id) references memberships (organization_id, user_id) on delete cascade,
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade
);

create unique index saved_views_name on saved_views (organization_id, owner_id, list, coalesce(engagement_id, ''), lower(name));
create index saved_views_list on saved_views (organization_id, list, engagement_id);
create index saved_views_engagement on saved_views (organization_id, engagement_id) where engagement_id is not null;
