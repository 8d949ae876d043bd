-- Comments on findings and results, next to those on tasks; on findings with a place in the text and a suggestion. Notices no
-- longer need a task.

alter table task_comments rename to comments;
alter table comments
  alter column task_id drop not null,
  add column result_id text collate "C",
  add column finding_id text collate "C",
  -- The text of the finding, and the words in it, that the comment is about.
  add column anchor_section text collate "C" check (anchor_section in ('summary', 'description', 'impact', 'reproduction', 'recommendation')),
  add column anchor_quote text,
  -- What should replace the quoted words.
  add column suggestion text,
  -- Null for an API key, which the audit log names.
  add column resolved_by text collate "C" references users (id),
  add column resolved_at timestamptz(3),
  add column accepted_by text collate "C" references users (id),
  add column accepted_at timestamptz(3),
  add foreign key (organization_id, engagement_id, result_id) references results (organization_id, engagement_id, id) on delete cascade,
  add foreign key (organization_id, engagement_id, finding_id) references findings (organization_id, engagement_id, id) on delete cascade,
  add check (num_nonnulls(task_id, result_id, finding_id) = 1),
  add check (num_nulls(anchor_section, anchor_quote) in (0, 2)),
  add check (anchor_section is null or finding_id is not null),
  add check (suggestion is null or anchor_section is not null);

create index comments_result on comments (organization_id, engagement_id, result_id, id) where result_id is not null;
create index comments_finding on comments (organization_id, engagement_id, finding_id, id) where finding_id is not null;
create index comments_of_finding on comments (organization_id, finding_id) where finding_id is not null;
create index comments_of_result on comments (organization_id, result_id) where result_id is not null;
create index comments_resolver on comments (resolved_by) where resolved_by is not null;
create index comments_acceptor on comments (accepted_by) where accepted_by is not null;

alter table notifications
  alter column task_id drop not null,
  add column result_id text collate "C",
  add column finding_id text collate "C",
  add foreign key (organization_id, engagement_id, result_id) references results (organization_id, engagement_id, id) on delete cascade,
  add foreign key (organization_id, engagement_id, finding_id) references findings (organization_id, engagement_id, id) on delete cascade,
  add check (num_nonnulls(task_id, result_id, finding_id) = 1),
  drop constraint notifications_kind_check,
  add constraint notifications_kind_check check (kind in ('mention', 'assignment', 'comment', 'reopened'));

create index notifications_result on notifications (organization_id, engagement_id, result_id) where result_id is not null;
create index notifications_finding on notifications (organization_id, engagement_id, finding_id) where finding_id is not null;
