-- What is still to be copied of a cloned engagement, where it is more than one answer takes.

create table engagement_clones (
  -- The new one.
  engagement_id text collate "C" primary key,
  organization_id text collate "C" not null,
  -- The one that is copied; no foreign key: it may be deleted before all is copied.
  source_id text collate "C" not null,
  work_id text collate "C" not null,
  -- Parts that are left, the current one first, and how far that one is.
  parts text[] not null,
  after text,
  pieces integer not null default 0,
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade
);

create index engagement_clones_organization on engagement_clones (organization_id, engagement_id);
