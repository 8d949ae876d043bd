-- What a filter for a part of the title looks at: made once, and not for each of 1,000,000 rows that are looked at.
alter table tasks add column searched text not null generated always as (lower(title collate names)) stored;

-- A link to what is gone shows its last title. Whatever deletes an object need not think of its links, and reaches those from
-- tasks that whoever deletes it does not see. Planned each time, since one and 100,000 deleted objects want different plans.
create function keep_last_titles() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  execute format(
    'update task_links l set title = g.%1$I from gone g
     where l.organization_id = g.organization_id and l.object_id = g.id and l.title <> g.%1$I', tg_argv[0]);
  return null;
end $$;

create trigger titles_of_gone after delete on targets referencing old table as gone
  for each statement execute function keep_last_titles('value');
create trigger titles_of_gone after delete on results referencing old table as gone
  for each statement execute function keep_last_titles('title');
create trigger titles_of_gone after delete on scans referencing old table as gone
  for each statement execute function keep_last_titles('name');
create trigger titles_of_gone after delete on tasks referencing old table as gone
  for each statement execute function keep_last_titles('title');
create trigger titles_of_gone after delete on api_requests referencing old table as gone
  for each statement execute function keep_last_titles('name');

-- A page is gone for its links from when it is in the trash.
create function keep_last_title_of_page() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  update task_links set title = new.title where organization_id = new.organization_id and object_id = new.id and title <> new.title;
  return null;
end $$;

create trigger title_of_trashed after update of trashed_at on wiki_pages for each row
  when (old.trashed_at is null and new.trashed_at is not null)
  execute function keep_last_title_of_page();
