-- What is to be done in an engagement: tasks, what they link to, what people say about them, and the notices that tell people.

create table tasks (
  id text collate "C" primary key,
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  title text collate names not null,
  description text not null,
  status text collate "C" not null check (status in ('open', 'in_progress', 'blocked', 'done', 'cancelled')),
  -- By weight, so that it sorts: none, low, medium, high, urgent.
  priority smallint not null check (priority between 0 and 4),
  assignee_id text collate "C" references users (id),
  due_on date,
  labels text[] not null default '{}',
  -- Fractional index: compared bytewise, made between those of its neighbours.
  position text collate "C" not null check (octet_length(position) <= 400),
  -- [{id, text, done}]
  checklist jsonb not null default '[]',
  -- Set together: the task checks one item of a methodology, on one target or once for the engagement. No foreign keys: the
  -- task outlives both.
  methodology_id text collate "C",
  item_key text collate "C",
  target_id text collate "C",
  outcome text collate "C" check (outcome in ('untested', 'pass', 'fail', 'not_applicable')),
  -- Null for a key and for the code host.
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

create unique index tasks_one_check on tasks (organization_id, engagement_id, methodology_id, item_key, coalesce(target_id, ''))
  where methodology_id is not null;
-- Ids are ordered by time: the newest are found by (organization_id, id), and here.
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
-- For the foreign keys to people.
create index tasks_assigned on tasks (assignee_id) where assignee_id is not null;
create index tasks_creator on tasks (created_by) where created_by is not null;

create table task_links (
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  task_id text collate "C" not null,
  -- In the order in which they were given.
  place smallint not null,
  type text collate "C" not null check (type in ('target', 'result', 'page', 'request', 'scan', 'task')),
  object_id text collate "C" not null,
  -- As it was when the link was made: what is left to show once the object is gone.
  title text not null,
  primary key (organization_id, task_id, place),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade,
  foreign key (organization_id, task_id) references tasks (organization_id, id) on delete cascade
);

create index task_links_object on task_links (organization_id, object_id);
create index task_links_engagement on task_links (organization_id, engagement_id);

create table task_comments (
  id text collate "C" primary key,
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  task_id text collate "C" not null,
  body text not null,
  author_id text collate "C" references users (id),
  -- The person or the key that wrote it, and may change it.
  written_by text collate "C" not null,
  -- People that the text names and who saw the engagement when it did.
  mentions text[] collate "C" not null default '{}',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (organization_id, id),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade,
  foreign key (organization_id, task_id) references tasks (organization_id, id) on delete cascade
);

create index task_comments_task on task_comments (organization_id, task_id, id);
create index task_comments_engagement on task_comments (organization_id, engagement_id);
create index task_comments_author on task_comments (author_id) where author_id is not null;

-- One audit entry tells of a bulk change: its tasks find it by this.
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
create index audit_entries_object on audit_entries (organization_id, object_id, id);

create table notices (
  id text collate "C" primary key,
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  user_id text collate "C" not null,
  kind text collate "C" not null check (kind in ('mention', 'assignment')),
  task_id text collate "C" not null,
  comment_id text collate "C",
  -- How many tasks were assigned at once; `task_id` is one of them.
  tasks integer not null default 1 check (tasks > 0),
  -- Who did it; null for a key.
  by_id text collate "C" references users (id),
  by_name text not null,
  created_at timestamptz(3) not null,
  read_at timestamptz(3),
  unique (organization_id, id),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id) references memberships (organization_id, user_id) on delete cascade,
  foreign key (organization_id, task_id) references tasks (organization_id, id) on delete cascade,
  foreign key (organization_id, comment_id) references task_comments (organization_id, id) on delete cascade
);

create index notices_newest on notices (organization_id, user_id, id desc);
create index notices_unread on notices (organization_id, user_id) where read_at is null;
create index notices_engagement on notices (organization_id, engagement_id);
create index notices_task on notices (organization_id, task_id);
create index notices_comment on notices (organization_id, comment_id) where comment_id is not null;
create index notices_age on notices (created_at);
create index notices_by on notices (by_id) where by_id is not null;

alter table users
  add column notify_mentions boolean not null default true,
  add column notify_assignments boolean not null default true;

-- Issues of a repository become tasks of the engagement that its connection names.
alter table code_hosting_repositories add column engagement_id text collate "C",
  add foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete set null (engagement_id);
create index code_hosting_repositories_engagement on code_hosting_repositories (organization_id, engagement_id) where engagement_id is not null;

create table task_issues (
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  -- The code host's own id of the issue.
  issue_id text collate "C" not null,
  -- Null until it was opened here, and once the task was deleted.
  task_id text collate "C",
  was_opened boolean not null,
  status text collate "C" not null check (status in ('open', 'done', 'cancelled')),
  -- The issue's own time of its newest change: it decides, not the order of arrival.
  issue_updated_at timestamptz(3) not null,
  primary key (organization_id, issue_id),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade,
  foreign key (organization_id, task_id) references tasks (organization_id, id) on delete set null (task_id)
);

create index task_issues_engagement on task_issues (organization_id, engagement_id);
create index task_issues_task on task_issues (organization_id, task_id) where task_id is not null;
