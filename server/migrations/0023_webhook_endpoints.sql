-- Outgoing webhooks: endpoints of other systems, the events that they wait for, and the deliveries to them. Triggers write the
-- events, so that no way of changing an object can forget them, and each event commits with its change.

create table webhook_endpoints (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id),
  name text collate names not null,
  url text not null,
  events text[] not null check (cardinality(events) > 0),
  -- all: every engagement. open: those that the whole organization sees. listed: only those in engagement_ids.
  engagement_access text collate "C" not null default 'all' check (engagement_access in ('all', 'open', 'listed')),
  -- No foreign keys: the event of a deleted engagement still finds its endpoints.
  engagement_ids text[] not null default '{}',
  -- 0 info, 1 low, 2 medium, 3 high, 4 critical. Null: results of any severity.
  min_severity smallint check (min_severity between 0 and 4),
  format text collate "C" not null check (format in ('standard', 'slack', 'teams', 'mattermost', 'matrix')),
  detail text collate "C" not null check (detail in ('thin', 'full')),
  is_enabled boolean not null default true,
  -- Why the server disabled it; null if a person did.
  disabled_reason text,
  -- Encrypted.
  secret bytea not null,
  -- Encrypted; also signs until the given time.
  former_secret bytea,
  former_secret_until timestamptz(3),
  -- The person or key with whose rights it receives.
  maker_kind text collate "C" not null check (maker_kind in ('user', 'key')),
  maker_id text collate "C" not null,
  maker_name text not null,
  -- The first failure since the last success.
  failing_since timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- From here on it no longer exists for anyone; a job deletes its deliveries, and then the row.
  deleted_at timestamptz(3),
  unique (organization_id, id)
);

create index webhook_endpoints_organization on webhook_endpoints (organization_id, id) where deleted_at is null;
create index webhook_endpoints_listening on webhook_endpoints (organization_id) where is_enabled;

-- Events that were not yet turned into deliveries. They name engagements without a foreign key, because a deletion is an event.
create table webhook_events (
  number bigint generated always as identity primary key,
  organization_id text collate "C" not null,
  type text collate "C" not null,
  about_engagement_id text collate "C",
  object_id text collate "C",
  -- What only the change knows: the former status, the ids of a batch.
  data jsonb not null,
  created_at timestamptz(3) not null default clock_timestamp()
);

create index webhook_events_batches on webhook_events (organization_id, type, about_engagement_id, created_at);
create index webhook_events_created on webhook_events (created_at);

create table webhook_deliveries (
  id text collate "C" primary key,
  organization_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  -- The order of the events.
  position bigint generated always as identity,
  event text collate "C" not null,
  -- Deliveries of one object are sent in order.
  object_id text collate "C" not null,
  about_engagement_id text collate "C",
  -- The exact bytes of every attempt.
  body text not null,
  state text collate "C" not null default 'pending' check (state in ('pending', 'delivered', 'failed', 'cancelled')),
  -- [{at, status, durationMs, answer, error}]
  attempts jsonb not null default '[]',
  -- Attempts since it was created or sent again.
  tries integer not null default 0,
  -- Null once it has ended.
  next_attempt_at timestamptz(3),
  -- A worker sends it until then.
  claimed_until timestamptz(3),
  created_at timestamptz(3) not null,
  unique (organization_id, id),
  foreign key (organization_id, endpoint_id) references webhook_endpoints (organization_id, id),
  check ((state = 'pending') = (next_attempt_at is not null))
);

create index webhook_deliveries_endpoint on webhook_deliveries (organization_id, endpoint_id, id);
create index webhook_deliveries_organization on webhook_deliveries (organization_id, id);
create index webhook_deliveries_event on webhook_deliveries (organization_id, event, id);
create index webhook_deliveries_engagement on webhook_deliveries (organization_id, about_engagement_id) where about_engagement_id is not null;
create index webhook_deliveries_due on webhook_deliveries (next_attempt_at) where state = 'pending';
create index webhook_deliveries_pending on webhook_deliveries (organization_id, endpoint_id, next_attempt_at) where state = 'pending';
create index webhook_deliveries_object on webhook_deliveries (organization_id, endpoint_id, object_id, position) where state = 'pending';
create index webhook_deliveries_failed on webhook_deliveries (created_at) where state = 'failed';
create index webhook_deliveries_created on webhook_deliveries (created_at);

create function awaits_webhook(organization text, event text) returns boolean language sql stable as $$
  select exists (select from webhook_endpoints e where e.organization_id = organization and e.is_enabled and event = any (e.events))
$$;

create function add_webhook_event(organization text, event text, engagement text, object text, facts jsonb) returns void
language sql volatile as $$
  insert into webhook_events (organization_id, type, about_engagement_id, object_id, data)
  select organization, event, engagement, object, facts where awaits_webhook(organization, event)
$$;

-- Rows are added by the thousand, so those triggers run once for a statement.

create function webhook_events_of_engagements() returns trigger language plpgsql as $$
begin
  insert into webhook_events (organization_id, type, about_engagement_id, object_id, data)
  select a.organization_id, 'engagement.created', a.id, a.id, '{}' from added a
  where awaits_webhook(a.organization_id, 'engagement.created') order by a.id;
  return null;
end $$;
create trigger webhook_events_of_added after insert on engagements referencing new table as added
  for each statement execute function webhook_events_of_engagements();

create function webhook_event_of_engagement() returns trigger language plpgsql as $$
begin
  perform add_webhook_event(new.organization_id, 'engagement.status_changed', new.id, new.id,
    jsonb_build_object('from', old.status, 'to', new.status));
  return null;
end $$;
create trigger webhook_event_of_status after update of status on engagements for each row
  when (old.status <> new.status) execute function webhook_event_of_engagement();

-- `open`: the whole organization saw it.
create function webhook_event_of_hiding() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.deleting_at is not null then return null; end if;
  perform add_webhook_event(new.organization_id, 'engagement.deleted', new.engagement_id, new.engagement_id,
    jsonb_build_object('open', not new.team_only));
  return null;
end $$;
create trigger webhook_event_of_hiding after insert or update of deleting_at on engagement_restrictions for each row
  when (new.deleting_at is not null) execute function webhook_event_of_hiding();

create function webhook_event_of_restoring() returns trigger language plpgsql as $$
begin
  perform add_webhook_event(new.organization_id, 'engagement.restored', new.engagement_id, new.engagement_id, '{}');
  return null;
end $$;
create trigger webhook_event_of_restoring after update of deleting_at on engagement_restrictions for each row
  when (old.deleting_at is not null and new.deleting_at is null) execute function webhook_event_of_restoring();

create function webhook_events_of_scope() returns trigger language plpgsql as $$
begin
  insert into webhook_events (organization_id, type, about_engagement_id, object_id, data)
  select r.organization_id, 'scope.changed', r.engagement_id, r.engagement_id, '{}'
  from (select distinct organization_id, engagement_id from changed) r where awaits_webhook(r.organization_id, 'scope.changed');
  return null;
end $$;
create trigger webhook_events_of_added after insert on scope_rules referencing new table as changed
  for each statement execute function webhook_events_of_scope();
create trigger webhook_events_of_changed after update on scope_rules referencing new table as changed
  for each statement execute function webhook_events_of_scope();
create trigger webhook_events_of_gone after delete on scope_rules referencing old table as changed
  for each statement execute function webhook_events_of_scope();

create function webhook_events_of_targets() returns trigger language plpgsql as $$
begin
  insert into webhook_events (organization_id, type, about_engagement_id, data)
  select t.organization_id, 'target.created', t.engagement_id, jsonb_build_object('ids', jsonb_agg(t.id order by t.id))
  from added t group by 1, 3 having awaits_webhook(t.organization_id, 'target.created');
  return null;
end $$;
create trigger webhook_events_of_added after insert on targets referencing new table as added
  for each statement execute function webhook_events_of_targets();

create function webhook_events_of_results() returns trigger language plpgsql as $$
begin
  insert into webhook_events (organization_id, type, about_engagement_id, data)
  select r.organization_id, 'result.created', r.engagement_id,
    jsonb_build_object('ids', jsonb_agg(r.id order by r.id), 'severities', jsonb_agg(r.severity order by r.id))
  from added r where r.kind = 'vulnerability' group by 1, 3 having awaits_webhook(r.organization_id, 'result.created');
  return null;
end $$;
create trigger webhook_events_of_added after insert on results referencing new table as added
  for each statement execute function webhook_events_of_results();

create function webhook_events_of_findings() returns trigger language plpgsql as $$
begin
  insert into webhook_events (organization_id, type, about_engagement_id, object_id, data)
  select a.organization_id, 'finding.created', a.engagement_id, a.id, '{}' from added a
  where awaits_webhook(a.organization_id, 'finding.created') order by a.id;
  return null;
end $$;
create trigger webhook_events_of_added after insert on findings referencing new table as added
  for each statement execute function webhook_events_of_findings();

create function webhook_event_of_finding() returns trigger language plpgsql as $$
begin
  if old.state <> new.state then
    perform add_webhook_event(new.organization_id, 'finding.state_changed', new.engagement_id, new.id,
      jsonb_build_object('from', old.state, 'to', new.state));
  end if;
  if old.published_at is null and new.published_at is not null then
    perform add_webhook_event(new.organization_id, 'finding.published', new.engagement_id, new.id, '{}');
  end if;
  if old.status <> new.status then
    perform add_webhook_event(new.organization_id, 'finding.status_changed', new.engagement_id, new.id,
      jsonb_build_object('from', old.status, 'to', new.status));
  end if;
  if old.client_status is distinct from new.client_status then
    perform add_webhook_event(new.organization_id, 'finding.client_status_changed', new.engagement_id, new.id,
      jsonb_build_object('from', old.client_status ->> 'state', 'to', new.client_status ->> 'state'));
  end if;
  return null;
end $$;
create trigger webhook_event_of_changed after update of state, published_at, status, client_status on findings for each row
  when ((old.state, old.published_at, old.status, old.client_status) is distinct from (new.state, new.published_at, new.status, new.client_status))
  execute function webhook_event_of_finding();

create function webhook_events_of_tasks() returns trigger language plpgsql as $$
begin
  insert into webhook_events (organization_id, type, about_engagement_id, object_id, data)
  select a.organization_id, e.type, a.engagement_id, a.id, e.facts
  from added a cross join lateral (values
    (1, 'task.created', '{}'::jsonb, true),
    (2, 'task.assigned', jsonb_build_object('assigneeId', a.assignee_id), a.assignee_id is not null),
    (3, 'task.done', '{}', a.status = 'done')) e (number, type, facts, happened)
  where e.happened and awaits_webhook(a.organization_id, e.type) order by a.id, e.number;
  return null;
end $$;
create trigger webhook_events_of_added after insert on tasks referencing new table as added
  for each statement execute function webhook_events_of_tasks();

create function webhook_event_of_task() returns trigger language plpgsql as $$
begin
  if new.assignee_id is not null and old.assignee_id is distinct from new.assignee_id then
    perform add_webhook_event(new.organization_id, 'task.assigned', new.engagement_id, new.id,
      jsonb_build_object('assigneeId', new.assignee_id));
  end if;
  if new.status = 'done' and old.status <> 'done' then
    perform add_webhook_event(new.organization_id, 'task.done', new.engagement_id, new.id, '{}');
  end if;
  return null;
end $$;
create trigger webhook_event_of_changed after update of status, assignee_id on tasks for each row
  when ((old.status, old.assignee_id) is distinct from (new.status, new.assignee_id)) execute function webhook_event_of_task();

create function webhook_event_of_ended() returns trigger language plpgsql as $$
begin
  perform add_webhook_event(new.organization_id, tg_argv[0], new.engagement_id, new.id, jsonb_build_object('state', new.state));
  return null;
end $$;
create trigger webhook_event_of_ended after update of state on scans for each row
  when (old.state in ('queued', 'running') and new.state not in ('queued', 'running'))
  execute function webhook_event_of_ended('scan.finished');
create trigger webhook_event_of_ended after update of state on imports for each row
  when (new.mode = 'apply' and old.state in ('received', 'parsing') and new.state in ('applied', 'partial', 'failed'))
  execute function webhook_event_of_ended('import.finished');

create function webhook_events_of_retests() returns trigger language plpgsql as $$
begin
  insert into webhook_events (organization_id, type, about_engagement_id, object_id, data)
  select a.organization_id, 'retest.requested', a.engagement_id, a.id, '{}' from added a
  where awaits_webhook(a.organization_id, 'retest.requested') order by a.id;
  return null;
end $$;
create trigger webhook_events_of_added after insert on retests referencing new table as added
  for each statement execute function webhook_events_of_retests();

create function webhook_event_of_edition() returns trigger language plpgsql as $$
begin
  perform add_webhook_event(new.organization_id, 'report.delivered', new.engagement_id, new.report_id,
    jsonb_build_object('editionId', new.id, 'number', new.number));
  return null;
end $$;
create trigger webhook_event_of_added after insert on report_editions for each row execute function webhook_event_of_edition();

create function webhook_events_of_members() returns trigger language plpgsql as $$
begin
  insert into webhook_events (organization_id, type, object_id, data)
  select m.organization_id, tg_argv[0], m.user_id, jsonb_build_object('name', m.name, 'role', m.role) from changed m
  where awaits_webhook(m.organization_id, tg_argv[0]) order by m.user_id;
  return null;
end $$;
create trigger webhook_events_of_added after insert on memberships referencing new table as changed
  for each statement execute function webhook_events_of_members('member.joined');
create trigger webhook_events_of_gone after delete on memberships referencing old table as changed
  for each statement execute function webhook_events_of_members('member.removed');

create function webhook_events_of_keys() returns trigger language plpgsql as $$
begin
  insert into webhook_events (organization_id, type, object_id, data)
  select k.organization_id, tg_argv[0], k.id, jsonb_build_object('name', k.name, 'environment', k.environment, 'scopes', k.scopes) from changed k
  where awaits_webhook(k.organization_id, tg_argv[0]) order by k.id;
  return null;
end $$;
create trigger webhook_events_of_added after insert on api_keys referencing new table as changed
  for each statement execute function webhook_events_of_keys('api_key.created');
create trigger webhook_events_of_gone after delete on api_keys referencing old table as changed
  for each statement execute function webhook_events_of_keys('api_key.deleted');

create function webhook_event_of_agent() returns trigger language plpgsql as $$
begin
  perform add_webhook_event(new.organization_id, 'agent.stopped', null, new.id,
    jsonb_build_object('name', new.name, 'reason', new.stop_reason));
  return null;
end $$;
create trigger webhook_event_of_stop after update of stopped_by on agents for each row
  when (old.stopped_by is null and new.stopped_by is not null) execute function webhook_event_of_agent();
