-- Bytes that an organization keeps in large rows of the database, for the limit that its files have too (finding S17): one member
-- could fill the disk of all with texts of pages, runs of requests and kept answers, which nothing counted.

-- A row for each change of the sum, only ever inserted, so that nobody waits for anybody; an hourly job adds them up.
create table stored_bytes (
  organization_id text collate "C" not null,
  bytes bigint not null
);
create index stored_bytes_organization on stored_bytes (organization_id) include (bytes);

-- Files are on the disk; their sizes count with the rest.
alter table files add column counted_bytes bigint generated always as (size) stored;
insert into stored_bytes (organization_id, bytes) select organization_id, sum(size) from files group by organization_id;

-- What a row counts. It stays with the row, so that as much is taken back as was counted: compressed, it has another size.
-- Rows of before this version count as nothing, until they are written again.
alter table wiki_revisions add column counted_bytes integer not null default 0;
alter table request_runs add column counted_bytes integer not null default 0;
alter table api_requests add column counted_bytes integer not null default 0;
alter table request_environments add column counted_bytes integer not null default 0;
alter table idempotency_keys add column counted_bytes integer not null default 0;

create function count_revision() returns trigger language plpgsql as $$
begin
  new.counted_bytes := octet_length(new.body);
  return new;
end $$;
create function count_run() returns trigger language plpgsql as $$
begin
  new.counted_bytes := octet_length(new.url) + octet_length(new.request::text) + octet_length(new.hops::text) + octet_length(new.assertions::text)
    + coalesce(octet_length(new.response::text), 0) + coalesce(octet_length(new.captured::text), 0) + coalesce(octet_length(new.body), 0);
  return new;
end $$;
create function count_request() returns trigger language plpgsql as $$
begin
  new.counted_bytes := octet_length(new.description) + octet_length(new.url) + octet_length(new.definition::text) + coalesce(octet_length(new.auth_secret), 0);
  return new;
end $$;
create function count_environment() returns trigger language plpgsql as $$
begin
  new.counted_bytes := octet_length(new.variables::text) + coalesce(octet_length(new.secrets), 0);
  return new;
end $$;
create function count_answer() returns trigger language plpgsql as $$
begin
  -- Null while what it answers is under way.
  new.counted_bytes := coalesce(octet_length(new.answer), 0);
  return new;
end $$;

create trigger count_bytes before insert or update of body on wiki_revisions for each row execute function count_revision();
create trigger count_bytes before insert or update of url, request, hops, response, assertions, captured, body on request_runs
  for each row execute function count_run();
create trigger count_bytes before insert or update of description, url, definition, auth_secret on api_requests
  for each row execute function count_request();
create trigger count_bytes before insert or update of variables, secrets on request_environments
  for each row execute function count_environment();
create trigger count_bytes before insert or update of answer on idempotency_keys for each row execute function count_answer();

create function bytes_added() returns trigger language plpgsql as $$
begin
  insert into stored_bytes (organization_id, bytes) select organization_id, sum(counted_bytes) from added group by organization_id having sum(counted_bytes) <> 0;
  return null;
end $$;
create function bytes_changed() returns trigger language plpgsql as $$
begin
  insert into stored_bytes (organization_id, bytes) values (new.organization_id, new.counted_bytes - old.counted_bytes);
  return null;
end $$;
create function bytes_gone() returns trigger language plpgsql as $$
begin
  insert into stored_bytes (organization_id, bytes) select organization_id, -sum(counted_bytes) from gone group by organization_id having sum(counted_bytes) <> 0;
  return null;
end $$;

create trigger bytes_added after insert on files referencing new table as added for each statement execute function bytes_added();
create trigger bytes_added after insert on wiki_revisions referencing new table as added for each statement execute function bytes_added();
create trigger bytes_added after insert on request_runs referencing new table as added for each statement execute function bytes_added();
create trigger bytes_added after insert on api_requests referencing new table as added for each statement execute function bytes_added();
create trigger bytes_added after insert on request_environments referencing new table as added for each statement execute function bytes_added();
create trigger bytes_added after insert on idempotency_keys referencing new table as added for each statement execute function bytes_added();

create trigger bytes_changed after update on wiki_revisions for each row
  when (old.counted_bytes <> new.counted_bytes) execute function bytes_changed();
create trigger bytes_changed after update on request_runs for each row
  when (old.counted_bytes <> new.counted_bytes) execute function bytes_changed();
create trigger bytes_changed after update on api_requests for each row
  when (old.counted_bytes <> new.counted_bytes) execute function bytes_changed();
create trigger bytes_changed after update on request_environments for each row
  when (old.counted_bytes <> new.counted_bytes) execute function bytes_changed();
create trigger bytes_changed after update on idempotency_keys for each row
  when (old.counted_bytes <> new.counted_bytes) execute function bytes_changed();

create trigger bytes_gone after delete on files referencing old table as gone for each statement execute function bytes_gone();
create trigger bytes_gone after delete on wiki_revisions referencing old table as gone for each statement execute function bytes_gone();
create trigger bytes_gone after delete on request_runs referencing old table as gone for each statement execute function bytes_gone();
create trigger bytes_gone after delete on api_requests referencing old table as gone for each statement execute function bytes_gone();
create trigger bytes_gone after delete on request_environments referencing old table as gone for each statement execute function bytes_gone();
create trigger bytes_gone after delete on idempotency_keys referencing old table as gone for each statement execute function bytes_gone();
