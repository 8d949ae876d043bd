-- Methodologies, and the tasks of engagements with their links.

-- An organization's own checklists. The built-in ones are part of the program.
create table methodologies (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id),
  name text collate names not null,
  description text not null,
  version text not null,
  -- [{key, title, description, group, appliesTo}], validated by the contract. Lists leave it out.
  items jsonb not null,
  item_count integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (organization_id, id)
);

create table tasks (
  id text collate "C" primary key,
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  trashed_at timestamptz(3),
  -- For substring search. Stored, because folding 1,000,000 titles takes longer than the 2 seconds of a statement.
  searched text not null generated always as (lower(title collate names)) stored,
  -- Within its engagement.
  number integer not null,
  title text collate names not null,
  description text not null,
  status text collate "C" not null check (status in ('open', 'in_progress', 'blocked', 'done', 'cancelled')),
  -- A number, so that it sorts: 0 none, 1 low, 2 medium, 3 high, 4 urgent.
  priority smallint not null check (priority between 0 and 4),
  assignee_id text collate "C" references users (id),
  due_on date,
  labels text[] not null default '{}',
  -- Fractional index, compared byte by byte: a new one is generated between those of its neighbours.
  position text collate "C" not null check (octet_length(position) <= 400),
  -- [{id, text, done}]
  checklist jsonb not null default '[]',
  -- Set together: the task checks one item of a methodology, on one target or once for the engagement. No foreign keys,
  -- because the task outlives the methodology and the target.
  methodology_id text collate "C",
  item_key text collate "C",
  target_id text collate "C",
  outcome text collate "C" check (outcome in ('untested', 'pass', 'fail', 'not_applicable')),
  -- Null for an API key and for the code host.
  created_by text collate "C" references users (id),
  completed_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (organization_id, id),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade,
  check ((methodology_id is null) = (item_key is null) and (methodology_id is null) = (outcome is null)),
  check (target_id is null or methodology_id is not null),
  check ((completed_at is null) = (status not in ('done', 'cancelled')))
);

-- A check in the trash can be created again.
create unique index tasks_one_check on tasks (organization_id, engagement_id, methodology_id, item_key, coalesce(target_id, ''))
  where methodology_id is not null and trashed_at is null;
-- Ids sort by time, so this index and the key (organization_id, id) find the newest tasks.
create index tasks_in_engagement_newest on tasks (organization_id, engagement_id, id);
create index tasks_in_engagement_position on tasks (organization_id, engagement_id, position, id);
create index tasks_in_engagement_status on tasks (organization_id, engagement_id, status, position, id);
create index tasks_in_engagement_updated on tasks (organization_id, engagement_id, updated_at, id);
create index tasks_in_engagement_due on tasks (organization_id, engagement_id, coalesce(due_on, 'infinity'), id);
create index tasks_in_engagement_priority on tasks (organization_id, engagement_id, priority, id);
create index tasks_updated on tasks (organization_id, updated_at, id);
create index tasks_due on tasks (organization_id, coalesce(due_on, 'infinity'), id);
create index tasks_priority on tasks (organization_id, priority, id);
create index tasks_assignee on tasks (organization_id, assignee_id, id);
create index tasks_target on tasks (organization_id, target_id) where target_id is not null;
-- For the foreign keys to users.
create index tasks_assigned on tasks (assignee_id) where assignee_id is not null;
create index tasks_creator on tasks (created_by) where created_by is not null;
-- The trash of an engagement, and the oldest rows of all. Small compared with the table.
create index tasks_in_trash on tasks (organization_id, engagement_id, id) where trashed_at is not null;
create index tasks_trashed on tasks (trashed_at) where trashed_at is not null;
create unique index tasks_number on tasks (organization_id, engagement_id, number);

-- The last number of an engagement; no number is used twice, also after a deletion. A row of its own, because writers share the
-- lock of the engagement.
create table task_numbers (
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  last_number integer not null,
  primary key (organization_id, engagement_id),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade
);

create table task_links (
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  task_id text collate "C" not null,
  -- In the order of the request.
  place smallint not null,
  type text collate "C" not null check (type in ('target', 'result', 'page', 'request', 'scan', 'task', 'finding')),
  object_id text collate "C" not null,
  -- The title of the object when the link was made, and its last title once the object is deleted.
  title text not null,
  primary key (organization_id, task_id, place),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade,
  foreign key (organization_id, task_id) references tasks (organization_id, id) on delete cascade
);

create index task_links_object on task_links (organization_id, object_id);
create index task_links_engagement on task_links (organization_id, engagement_id);

-- A link to a deleted object shows the object's last title. A trigger, so that code that deletes an object need not consider
-- its links, and so that it reaches links of tasks that the actor does not see. The argument names the column of the title.
-- The statement is planned each time, because one deleted object and 100,000 need different plans.
create function keep_last_titles() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  execute format(
    'update task_links l set title = g.%1$I from gone g
     where l.organization_id = g.organization_id and l.object_id = g.id and l.title <> g.%1$I', tg_argv[0]);
  return null;
end $$;

create trigger titles_of_gone after delete on targets referencing old table as gone
  for each statement execute function keep_last_titles('value');
create trigger titles_of_gone after delete on results referencing old table as gone
  for each statement execute function keep_last_titles('title');
create trigger titles_of_gone after delete on scans referencing old table as gone
  for each statement execute function keep_last_titles('name');
create trigger titles_of_gone after delete on tasks referencing old table as gone
  for each statement execute function keep_last_titles('title');

-- For links, an object is gone as soon as it is in the trash. The argument names the column of the title.
create function keep_title_of_trashed() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  update task_links l set title = to_jsonb(new) ->> tg_argv[0]
  where l.organization_id = new.organization_id and l.object_id = new.id and l.title <> to_jsonb(new) ->> tg_argv[0];
  return null;
end $$;

create trigger title_of_trashed after update of trashed_at on tasks for each row
  when (old.trashed_at is null and new.trashed_at is not null) execute function keep_title_of_trashed('title');
create trigger title_of_trashed after update of trashed_at on results for each row
  when (old.trashed_at is null and new.trashed_at is not null) execute function keep_title_of_trashed('title');
create trigger title_of_trashed after update of trashed_at on targets for each row
  when (old.trashed_at is null and new.trashed_at is not null) execute function keep_title_of_trashed('value');

-- The audit log has one entry for a bulk change; this lists the tasks that it changed.
create table task_bulk_changes (
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  task_id text collate "C" not null,
  audit_id text collate "C" not null,
  primary key (organization_id, task_id, audit_id),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade,
  foreign key (organization_id, task_id) references tasks (organization_id, id) on delete cascade
);

create index task_bulk_changes_engagement on task_bulk_changes (organization_id, engagement_id);

-- Issues of a repository that are tasks of the engagement.
create table task_issues (
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  -- The code host's id of the issue.
  issue_id text collate "C" not null,
  -- Null until a task exists, and after the task is deleted.
  task_id text collate "C",
  was_opened boolean not null,
  status text collate "C" not null check (status in ('open', 'done', 'cancelled')),
  -- The code host's time of the newest change. It decides which event is newer, not the order of arrival.
  issue_updated_at timestamptz(3) not null,
  primary key (organization_id, issue_id),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade,
  foreign key (organization_id, task_id) references tasks (organization_id, id) on delete set null (task_id)
);

create index task_issues_engagement on task_issues (organization_id, engagement_id);
create index task_issues_task on task_issues (organization_id, task_id) where task_id is not null;

-- Values of custom fields.
create trigger field_values_gone after delete on tasks referencing old table as gone for each statement execute function field_values_gone();
