-- Files of library entries. Library entries and retests in the search, as tasks are (migration 0012).

alter table files drop constraint files_owner_type_check,
  add constraint files_owner_type_check
    check (owner_type in ('engagement', 'result', 'import', 'task', 'page', 'request', 'client', 'finding', 'library_entry'));

-- What the search reads of an entry: names in all languages, texts in the main one.
create function library_entry_text(entry library_entries) returns text
language sql immutable parallel safe
return concat_ws(' ', entry.key, array_to_string(entry.cwe || entry.tags, ' '),
  (select string_agg(t.value ->> 'title', ' ' order by t.key) from jsonb_each(entry.texts) t),
  (select string_agg(rule ->> 'ruleId', ' ') from jsonb_array_elements(entry.rules) rule),
  entry.texts -> entry.main_language ->> 'summary', entry.texts -> entry.main_language ->> 'description',
  entry.texts -> entry.main_language ->> 'impact', entry.texts -> entry.main_language ->> 'reproduction',
  entry.texts -> entry.main_language ->> 'recommendation');

-- A proposal is found only by those who see its engagement.
create function add_library_entry_words() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into object_words (object_id, owner, tree, words)
  select e.id, e.organization_id || '/library_entry', coalesce(e.engagement_id, e.organization_id),
    object_vector(array['=' || e.organization_id || '/library_entry', '=' || coalesce(e.engagement_id, e.organization_id) || '/library_entry'], library_entry_text(e))
  from library_entries e join added a on a.organization_id = e.organization_id and a.id = e.id;
  return null;
end $$;

create function change_library_entry_words() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  update object_words set tree = coalesce(new.engagement_id, new.organization_id),
    words = object_vector(array['=' || new.organization_id || '/library_entry', '=' || coalesce(new.engagement_id, new.organization_id) || '/library_entry'], library_entry_text(new))
  where object_id = new.id;
  return null;
end $$;

create trigger words_of_added after insert on library_entries referencing new table as added
  for each statement execute function add_library_entry_words();
create trigger words_of_changed after update on library_entries for each row
  when (old.key is distinct from new.key or old.cwe is distinct from new.cwe or old.tags is distinct from new.tags or old.texts is distinct from new.texts
    or old.rules is distinct from new.rules or old.main_language is distinct from new.main_language or old.engagement_id is distinct from new.engagement_id)
  execute function change_library_entry_words();
create trigger words_of_gone after delete on library_entries referencing old table as gone
  for each statement execute function forget_words();

create function add_retest_words() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into object_words (object_id, owner, tree, words)
  select a.id, a.organization_id || '/retest', a.engagement_id,
    object_vector(array['=' || a.organization_id || '/retest', '=' || a.engagement_id || '/retest'], a.name::text)
  from added a;
  return null;
end $$;

create function change_retest_words() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  update object_words set words = object_vector(array['=' || new.organization_id || '/retest', '=' || new.engagement_id || '/retest'], new.name::text)
  where object_id = new.id;
  return null;
end $$;

create trigger words_of_added after insert on retests referencing new table as added
  for each statement execute function add_retest_words();
create trigger words_of_changed after update on retests for each row when (old.name is distinct from new.name)
  execute function change_retest_words();
create trigger words_of_gone after delete on retests referencing old table as gone
  for each statement execute function forget_words();

-- What exists already.
insert into object_words (object_id, owner, tree, words)
select e.id, e.organization_id || '/library_entry', coalesce(e.engagement_id, e.organization_id),
  object_vector(array['=' || e.organization_id || '/library_entry', '=' || coalesce(e.engagement_id, e.organization_id) || '/library_entry'], library_entry_text(e))
from library_entries e;
insert into object_words (object_id, owner, tree, words)
select r.id, r.organization_id || '/retest', r.engagement_id,
  object_vector(array['=' || r.organization_id || '/retest', '=' || r.engagement_id || '/retest'], r.name::text)
from retests r;
