-- Requests that a process of their own sends (REQUESTS_BY): what is needed for it, and what came of it, sealed for the row.
-- They last as long as somebody waits for the run.
create table request_handoffs (
  run_id text collate "C" primary key,
  organization_id text collate "C" not null,
  -- Of the run.
  engagement_id text collate "C",
  wanted bytea not null,
  taken_at timestamptz(3),
  cancel_requested_at timestamptz(3),
  outcome bytea,
  foreign key (organization_id, run_id) references request_runs (organization_id, id) on delete cascade,
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade
);

create index request_handoffs_run on request_handoffs (organization_id, run_id);
create index request_handoffs_engagement on request_handoffs (organization_id, engagement_id);
