-- What people tell each other: comments on tasks, results, findings and reports, notifications, and who has a page or a finding
-- open.

create table comments (
  id text collate "C" primary key,
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  -- One of them.
  task_id text collate "C",
  result_id text collate "C",
  finding_id text collate "C",
  report_id text collate "C",
  -- The text of the finding, or the section of the report, that the comment is about. Comments outlive a section: no foreign key.
  anchor_section text collate "C" check (anchor_section in ('summary', 'description', 'impact', 'reproduction', 'recommendation')),
  anchor_section_id text collate "C",
  -- The words in it; empty for a comment on a whole section.
  anchor_quote text,
  -- What should replace the quoted words.
  suggestion text,
  body text not null,
  author_id text collate "C" references users (id),
  -- The user or API key that wrote the comment and may change it.
  written_by text collate "C" not null,
  -- Users that the text mentions and who saw the engagement at that time.
  mentions text[] collate "C" not null default '{}',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- When the author changed the text; null if it never changed. Resolving and reopening also move updated_at.
  edited_at timestamptz(3),
  -- Null for an API key, which the audit log names.
  resolved_by text collate "C" references users (id),
  resolved_at timestamptz(3),
  accepted_by text collate "C" references users (id),
  accepted_at timestamptz(3),
  unique (organization_id, id),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade,
  foreign key (organization_id, task_id) references tasks (organization_id, id) on delete cascade,
  foreign key (organization_id, engagement_id, result_id) references results (organization_id, engagement_id, id) on delete cascade,
  foreign key (organization_id, engagement_id, finding_id) references findings (organization_id, engagement_id, id) on delete cascade,
  foreign key (organization_id, engagement_id, report_id) references reports (organization_id, engagement_id, id) on delete cascade,
  constraint comments_parent_check check (num_nonnulls(task_id, result_id, finding_id, report_id) = 1),
  constraint comments_quote_check check (num_nonnulls(anchor_section, anchor_section_id) = num_nonnulls(anchor_quote)),
  constraint comments_section_check check (anchor_section is null or finding_id is not null),
  constraint comments_report_section_check check (anchor_section_id is null or report_id is not null),
  constraint comments_suggestion_check check (suggestion is null or coalesce(anchor_quote, '') <> '')
);

create index comments_task on comments (organization_id, task_id, id);
create index comments_engagement on comments (organization_id, engagement_id);
create index comments_author on comments (author_id) where author_id is not null;
create index comments_result on comments (organization_id, engagement_id, result_id, id) where result_id is not null;
create index comments_finding on comments (organization_id, engagement_id, finding_id, id) where finding_id is not null;
create index comments_of_finding on comments (organization_id, finding_id) where finding_id is not null;
create index comments_of_result on comments (organization_id, result_id) where result_id is not null;
create index comments_resolver on comments (resolved_by) where resolved_by is not null;
create index comments_acceptor on comments (accepted_by) where accepted_by is not null;
create index comments_report on comments (organization_id, engagement_id, report_id, id) where report_id is not null;
create index comments_of_report on comments (organization_id, report_id) where report_id is not null;

create table notifications (
  id text collate "C" primary key,
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  user_id text collate "C" not null,
  kind text collate "C" not null check (kind in ('mention', 'assignment', 'comment', 'reopened')),
  -- One of them.
  task_id text collate "C",
  result_id text collate "C",
  finding_id text collate "C",
  report_id text collate "C",
  comment_id text collate "C",
  -- Number of tasks assigned at once; `task_id` is one of them.
  tasks integer not null default 1 check (tasks > 0),
  -- Who mentioned or assigned the user; null for an API key.
  by_id text collate "C" references users (id),
  by_name text not null,
  created_at timestamptz(3) not null,
  read_at timestamptz(3),
  unique (organization_id, id),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id) references memberships (organization_id, user_id) on delete cascade,
  foreign key (organization_id, task_id) references tasks (organization_id, id) on delete cascade,
  foreign key (organization_id, comment_id) references comments (organization_id, id) on delete cascade,
  foreign key (organization_id, engagement_id, result_id) references results (organization_id, engagement_id, id) on delete cascade,
  foreign key (organization_id, engagement_id, finding_id) references findings (organization_id, engagement_id, id) on delete cascade,
  foreign key (organization_id, engagement_id, report_id) references reports (organization_id, engagement_id, id) on delete cascade,
  constraint notifications_object_check check (num_nonnulls(task_id, result_id, finding_id, report_id) = 1)
);

create index notifications_newest on notifications (organization_id, user_id, id desc);
create index notifications_unread on notifications (organization_id, user_id) where read_at is null;
create index notifications_engagement on notifications (organization_id, engagement_id);
create index notifications_task on notifications (organization_id, task_id);
create index notifications_comment on notifications (organization_id, comment_id) where comment_id is not null;
create index notifications_age on notifications (created_at);
create index notifications_by on notifications (by_id) where by_id is not null;
create index notifications_result on notifications (organization_id, engagement_id, result_id) where result_id is not null;
create index notifications_finding on notifications (organization_id, engagement_id, finding_id) where finding_id is not null;
create index notifications_report on notifications (organization_id, engagement_id, report_id) where report_id is not null;

-- Users who have a page or a finding open, as reported by their event streams. A stream whose process died no longer renews its row,
-- which then no longer counts.
create table viewers (
  -- Of the stream; generated by the server.
  id text collate "C" primary key,
  organization_id text collate "C" not null,
  engagement_id text collate "C",
  -- One of them.
  page_id text collate "C",
  finding_id text collate "C",
  user_id text collate "C" not null references users (id),
  -- Has the editor of the texts open.
  is_editing boolean not null default false,
  seen_at timestamptz(3) not null,
  foreign key (organization_id, page_id) references wiki_pages (organization_id, id) on delete cascade,
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade,
  foreign key (organization_id, engagement_id, finding_id) references findings (organization_id, engagement_id, id) on delete cascade,
  check (num_nonnulls(page_id, finding_id) = 1)
);

create index viewers_page on viewers (organization_id, page_id);
create index viewers_engagement on viewers (organization_id, engagement_id);
create index viewers_user on viewers (user_id);
create index viewers_seen on viewers (seen_at);
create index viewers_finding on viewers (organization_id, engagement_id, finding_id) where finding_id is not null;
create index viewers_of_finding on viewers (organization_id, finding_id) where finding_id is not null;
