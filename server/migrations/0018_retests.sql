-- Retests: lists of affected assets to test again. While one runs, its dates are testing dates, and it may send in a completed
-- engagement.

create table retests (
  id text collate "C" primary key,
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  name text collate names not null,
  -- Both or neither: without them the retest adds no testing dates.
  starts_on date,
  ends_on date,
  state text collate "C" not null default 'planned' check (state in ('planned', 'running', 'done')),
  -- Null for an API key, which the audit log names.
  created_by text collate "C" references users (id),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (organization_id, id),
  unique (organization_id, engagement_id, id),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade,
  check (num_nulls(starts_on, ends_on) in (0, 2)),
  check (ends_on >= starts_on)
);

create index retests_engagement on retests (organization_id, engagement_id, id);
create index retests_running on retests (organization_id, engagement_id) where state = 'running';
create index retests_creator on retests (created_by);

create table retest_items (
  id text collate "C" primary key,
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  retest_id text collate "C" not null,
  finding_id text collate "C" not null,
  -- Null for a finding without assets, and after the asset is deleted.
  affected_id text collate "C",
  -- Null for a finding without assets.
  asset text,
  outcome text collate "C" check (outcome in ('fixed', 'partly_fixed', 'open', 'not_reproducible', 'not_retested')),
  -- The status of the asset, or of a finding without assets, before the outcome set it: without its outcome, it is returned.
  status_before text collate "C" check (status_before in ('open', 'partly_fixed', 'fixed', 'not_reproducible', 'withdrawn')),
  note text not null default '',
  -- Who set the outcome; null for an API key, which the audit log names.
  tested_by text collate "C" references users (id),
  tested_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (organization_id, id),
  foreign key (organization_id, engagement_id, retest_id) references retests (organization_id, engagement_id, id) on delete cascade,
  foreign key (organization_id, engagement_id, finding_id) references findings (organization_id, engagement_id, id) on delete cascade,
  foreign key (organization_id, engagement_id, affected_id) references affected_assets (organization_id, engagement_id, id) on delete set null (affected_id)
);

create index retest_items_retest on retest_items (organization_id, engagement_id, retest_id, id);
create index retest_items_of_retest on retest_items (organization_id, retest_id, outcome);
create index retest_items_finding on retest_items (organization_id, engagement_id, finding_id);
create index retest_items_affected on retest_items (organization_id, engagement_id, affected_id) where affected_id is not null;
create index retest_items_tester on retest_items (tested_by) where tested_by is not null;

-- Search, as for tasks.
create function add_retest_words() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into object_words (object_id, owner, tree, words)
  select a.id, a.organization_id || '/retest', a.engagement_id,
    object_vector(array['=' || a.organization_id || '/retest', '=' || a.engagement_id || '/retest'], a.name::text)
  from added a;
  return null;
end $$;

create function change_retest_words() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  update object_words set words = object_vector(array['=' || new.organization_id || '/retest', '=' || new.engagement_id || '/retest'], new.name::text)
  where object_id = new.id;
  return null;
end $$;

create trigger words_of_added after insert on retests referencing new table as added
  for each statement execute function add_retest_words();
create trigger words_of_changed after update on retests for each row when (old.name is distinct from new.name)
  execute function change_retest_words();
create trigger words_of_gone after delete on retests referencing old table as gone
  for each statement execute function forget_words();
