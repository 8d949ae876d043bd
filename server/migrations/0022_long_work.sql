-- What takes longer than an answer: imports, scans, exports, removals. One row for each, with its state and progress; the
-- job queue drives it. The rows of features say what it is about and refer to it by its id.

create table long_work (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id) on delete cascade,
  -- Null: of no engagement, or longer than the engagement, as its removal.
  engagement_id text collate "C",
  kind text collate "C" not null,
  -- The row of the feature that it is about.
  subject_id text collate "C" not null,
  -- Who asked for it; null where the server acts by itself.
  actor_kind text collate "C" check (actor_kind in ('key', 'user')),
  actor_id text collate "C",
  actor_name text,
  actor_address text collate "C",
  state text collate "C" not null default 'queued' check (state in ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
  -- Why it failed or was cancelled, as a sentence for people.
  reason text,
  done bigint not null default 0,
  -- Null while nobody knows.
  total bigint,
  -- Which process does it, as host and process id.
  worker text collate "C",
  -- Counts the workers that took it up: what an earlier one still writes is refused.
  attempt integer not null default 0,
  -- Attempts in a row that ended without having got on.
  failures integer not null default 0,
  cancel_requested_at timestamptz(3),
  -- The job in the queue that will do it or does it.
  job_id uuid,
  created_at timestamptz(3) not null,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  unique (organization_id, id),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade,
  check ((actor_kind is null) = (actor_id is null)),
  check ((ended_at is null) = (state in ('queued', 'running')))
);

create index long_work_engagement on long_work (organization_id, engagement_id);
create index long_work_subject on long_work (organization_id, subject_id);
create index long_work_unended on long_work (id) where ended_at is null;
create index long_work_ended on long_work (ended_at) where engagement_id is null and ended_at is not null;

-- Removals that were asked for before: their work is enqueued once a server of this version runs. Row-level security
-- shows them to this transaction alone.
select set_config('sortie.organization', '*', true), set_config('sortie.viewer', '*', true);
insert into long_work (id, organization_id, kind, subject_id, created_at)
select 'wrk_' || substr(r.engagement_id, 5), r.organization_id, 'remove-engagement', r.engagement_id, r.deleting_at
from engagement_restrictions r where r.deleting_at is not null;
