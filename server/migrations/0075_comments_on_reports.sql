-- Comments on reports and their sections, and the notices about them.

alter table comments
  add column report_id text collate "C",
  -- The section of the report that the comment is about. Comments outlive a section: no foreign key.
  add column anchor_section_id text collate "C",
  add foreign key (organization_id, engagement_id, report_id) references reports (organization_id, engagement_id, id) on delete cascade,
  drop constraint comments_check,
  drop constraint comments_check1,
  drop constraint comments_check3,
  add constraint comments_parent_check check (num_nonnulls(task_id, result_id, finding_id, report_id) = 1),
  add constraint comments_quote_check check (num_nonnulls(anchor_section, anchor_section_id) = num_nonnulls(anchor_quote)),
  add constraint comments_report_section_check check (anchor_section_id is null or report_id is not null),
  -- The quote is empty for a comment on a whole section.
  add constraint comments_suggestion_check check (suggestion is null or coalesce(anchor_quote, '') <> '');

create index comments_report on comments (organization_id, engagement_id, report_id, id) where report_id is not null;
create index comments_of_report on comments (organization_id, report_id) where report_id is not null;

alter table notifications
  add column report_id text collate "C",
  add foreign key (organization_id, engagement_id, report_id) references reports (organization_id, engagement_id, id) on delete cascade,
  drop constraint notifications_check,
  add constraint notifications_object_check check (num_nonnulls(task_id, result_id, finding_id, report_id) = 1);

create index notifications_report on notifications (organization_id, engagement_id, report_id) where report_id is not null;
