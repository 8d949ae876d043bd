-- Tasks get a number within their engagement, and engagements a prefix for it: people refer to a task as MF-12.

-- A prefix from a name: the first letters of its words, or the first three of a single word.
create function task_prefix_of(name text) returns text
language sql immutable parallel safe
return coalesce((
  select case when count(*) > 1 then left(upper(string_agg(left(w.word, 1), '' order by w.place)), 4) else left(upper(min(w.word)), 3) end
  from regexp_split_to_table(regexp_replace(search_text(name), '[^a-z ]+', ' ', 'g'), ' +') with ordinality w (word, place)
  where w.word <> ''), 'T');

alter table engagements add column task_prefix text collate "C" not null default 'T' check (task_prefix ~ '^[A-Z][A-Z0-9]{0,9}$');
update engagements set task_prefix = task_prefix_of(name);

-- The last number of an engagement; no number is used twice, also after a deletion. A row of its own, because writers share the
-- lock of the engagement.
create table task_numbers (
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  last_number integer not null,
  primary key (organization_id, engagement_id),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade
);

alter table tasks add column number integer;
update tasks t set number = n.number
from (select id, row_number() over (partition by organization_id, engagement_id order by id) as number from tasks) n
where n.id = t.id;
alter table tasks alter column number set not null;
insert into task_numbers (organization_id, engagement_id, last_number)
select organization_id, engagement_id, max(number) from tasks group by organization_id, engagement_id;

create unique index tasks_number on tasks (organization_id, engagement_id, number);
