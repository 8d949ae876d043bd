-- What went to the network, from whom, when and to where: rows are added and never changed.

create table operations (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id),
  engagement_id text collate "C" not null,
  kind text collate "C" not null check (kind in ('scan', 'request', 'import', 'manual')),
  -- What sent it; without foreign keys, since the log outlives them.
  scan_id text collate "C",
  run_id text collate "C",
  import_id text collate "C",
  started_at timestamptz(3) not null,
  ended_at timestamptz(3) check (ended_at >= started_at),
  -- Single addresses: their order is that of a network's first and last.
  source_address inet check (masklen(source_address) = case family(source_address) when 4 then 32 else 128 end),
  address inet check (masklen(address) = case family(address) when 4 then 32 else 128 end),
  -- The name by which it was asked, in lower case.
  host text collate "C",
  port integer check (port between 1 and 65535),
  -- Several, as ranges: 22,80,8000-8100.
  ports text,
  protocol text collate "C",
  -- The person or API key, as it was called then; null where it is not known.
  actor_id text collate "C",
  actor_name text,
  note text,
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade,
  check (address is not null or host is not null),
  check ((actor_id is null) = (actor_name is null))
);

create index operations_started on operations (organization_id, started_at, id);
create index operations_of_engagement on operations (organization_id, engagement_id, started_at, id);
create index operations_kind on operations (organization_id, engagement_id, kind, started_at, id);
create index operations_address on operations (organization_id, engagement_id, address, started_at, id);
create index operations_host on operations (organization_id, engagement_id, host, started_at, id) where host is not null;
create index operations_scan on operations (organization_id, scan_id, started_at, id) where scan_id is not null;

-- Rows go with their engagement alone: once it is hidden for good, or gone already.
create function keep_operations() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and (
    exists (select from engagement_restrictions r where r.organization_id = old.organization_id and r.engagement_id = old.engagement_id and r.deleting_at is not null)
    or not exists (select from engagements e where e.organization_id = old.organization_id and e.id = old.engagement_id)
  ) then
    return old;
  end if;
  raise exception 'the operation log is append-only';
end $$;

create trigger operations_append_only before update or delete on operations for each row execute function keep_operations();
