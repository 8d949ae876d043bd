-- Redacted pictures: another file is shown wherever a text refers to the original.

create table file_redactions (
  -- The original. No foreign key: texts name it after it was deleted as well.
  file_id text collate "C" primary key,
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  -- The file that is shown, which is never a redacted one. Null once it was deleted: the original stays sealed.
  redacted_by text collate "C",
  -- Null for an API key, which the audit log names.
  created_by text collate "C" references users (id),
  created_at timestamptz(3) not null,
  unique (organization_id, file_id),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade,
  foreign key (organization_id, redacted_by) references files (organization_id, id) on delete set null (redacted_by)
);

create index file_redactions_engagement on file_redactions (organization_id, engagement_id);
create index file_redactions_shown on file_redactions (organization_id, redacted_by) where redacted_by is not null;
create index file_redactions_creator on file_redactions (created_by);

-- Redactions of the engagement when the render read its pictures: once there are more, its file is not given out.
alter table report_renders add column redactions integer not null default 0;
