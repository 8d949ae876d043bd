-- Requests that the owner and admins send without an engagement say why, and are in the operation log of the organization:
-- "was that us?" has one answer, whatever a request belongs to.

alter table request_runs add column override_reason text;
alter table request_sequences add column override_reason text;

alter table operations alter column engagement_id drop not null;
-- Made anew at the next start, for a column that may be null.
drop policy if exists visible_engagement on operations;

-- Rows go with their engagement only: once it is hidden for good, or gone. Rows of the organization stay.
create or replace function keep_operations() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.engagement_id is not null and (
    exists (select from engagement_restrictions r where r.organization_id = old.organization_id and r.engagement_id = old.engagement_id and r.deleting_at is not null)
    or not exists (select from engagements e where e.organization_id = old.organization_id and e.id = old.engagement_id)
  ) then
    return old;
  end if;
  raise exception 'the operation log is append-only';
end $$;
