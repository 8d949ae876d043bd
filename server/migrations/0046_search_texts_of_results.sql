-- Search finds results by what tools say of them, too: rule, description, evidence, output of scripts, code flows.

-- The start of each text counts, so that a long one does not displace the others. Lists and objects are JSON, whose line breaks are
-- escapes that would become a part of the next word.
create function result_texts(data jsonb, large_data jsonb) returns text
language sql immutable parallel safe
return concat_ws(' ', data ->> 'cve', data ->> 'ruleId', left(data ->> 'description', 2000),
  replace(left(large_data ->> 'evidence', 2000), '\n', ' '),
  replace(left(large_data ->> 'scripts', 2000), '\n', ' '),
  replace(left(large_data ->> 'codeFlows', 1000), '\n', ' '));

create or replace function add_result_words() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into object_words (object_id, owner, tree, words)
  select a.id, a.organization_id || '/result', a.engagement_id,
    case when octet_length(t.value) < 600
      then array_to_tsvector(array_remove(string_to_array(search_text(t.value), ' '), '')
        || array(select address[1] from regexp_matches(t.value, '\m\d{1,3}(?:\.\d{1,3}){3}\M', 'g') address)
        || array['=' || a.organization_id || '/result', '=' || a.engagement_id || '/result'])
      else object_vector(array['=' || a.organization_id || '/result', '=' || a.engagement_id || '/result'], t.value)
    end
  from added a
  -- `offset 0` makes Postgres compute the text once, not once for each use.
  cross join lateral (select concat_ws(' ', a.asset, a.title, result_texts(a.data, a.large_data), array_to_string(a.tags, ' '), a.notes) as value offset 0) t;
  return null;
end $$;

create or replace function change_result_words() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  update object_words set words = object_vector(array['=' || new.organization_id || '/result', '=' || new.engagement_id || '/result'],
    concat_ws(' ', new.asset, new.title, result_texts(new.data, new.large_data), array_to_string(new.tags, ' '), new.notes))
  where object_id = new.id;
  return null;
end $$;

drop trigger words_of_changed on results;
create trigger words_of_changed after update on results for each row
  when (old.asset is distinct from new.asset or old.title is distinct from new.title or (old.data -> 'cve') is distinct from (new.data -> 'cve')
    or (old.data -> 'ruleId') is distinct from (new.data -> 'ruleId') or (old.data -> 'description') is distinct from (new.data -> 'description')
    or (old.large_data -> 'evidence') is distinct from (new.large_data -> 'evidence') or (old.large_data -> 'scripts') is distinct from (new.large_data -> 'scripts')
    or (old.large_data -> 'codeFlows') is distinct from (new.large_data -> 'codeFlows')
    or old.tags is distinct from new.tags or old.notes is distinct from new.notes)
  execute function change_result_words();

create or replace function words_of_trashed() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  value text := case tg_argv[0]
    when 'task' then concat_ws(' ', to_jsonb(new) ->> 'title', (select string_agg(l, ' ') from jsonb_array_elements_text(to_jsonb(new) -> 'labels') l), to_jsonb(new) ->> 'description')
    when 'target' then concat_ws(' ', to_jsonb(new) ->> 'value', nullif(to_jsonb(new) ->> 'canonical', to_jsonb(new) ->> 'value'),
      (select string_agg(t, ' ') from jsonb_array_elements_text(to_jsonb(new) -> 'tags') t), to_jsonb(new) ->> 'notes')
    else concat_ws(' ', to_jsonb(new) ->> 'asset', to_jsonb(new) ->> 'title', result_texts(to_jsonb(new) -> 'data', to_jsonb(new) -> 'large_data'),
      (select string_agg(t, ' ') from jsonb_array_elements_text(to_jsonb(new) -> 'tags') t), to_jsonb(new) ->> 'notes')
    end;
begin
  delete from object_words where object_id = new.id;
  if new.trashed_at is null then
    insert into object_words (object_id, owner, tree, words)
    values (new.id, new.organization_id || '/' || tg_argv[0], new.engagement_id,
      object_vector(array['=' || new.organization_id || '/' || tg_argv[0], '=' || new.engagement_id || '/' || tg_argv[0]], value));
  end if;
  return null;
end $$;

