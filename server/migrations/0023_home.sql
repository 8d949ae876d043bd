-- What the start page keeps for each account: the steps of the first run, and what was visited last.

-- An account with a row and a time has finished its first run. Accounts that are older than the first run have.
create table first_runs (
  user_id text collate "C" primary key references users (id) on delete cascade,
  -- {step: 'done' or 'skipped'}
  steps jsonb not null default '{}',
  finished_at timestamptz(3)
);

insert into first_runs (user_id, finished_at) select id, now() from users;

-- The newest 20 of each member and organization.
create table recent_visits (
  organization_id text collate "C" not null,
  user_id text collate "C" not null,
  object_id text collate "C" not null,
  -- Null for what belongs to the organization.
  engagement_id text collate "C",
  visited_at timestamptz(3) not null,
  primary key (organization_id, user_id, object_id),
  foreign key (organization_id, user_id) references memberships (organization_id, user_id) on delete cascade,
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade
);

create index recent_visits_engagement on recent_visits (organization_id, engagement_id) where engagement_id is not null;
