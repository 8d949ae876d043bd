-- Search for targets, results, tasks and saved requests.

-- The words of these objects. As with wiki_page_words, full-text operators are not leakproof, so their index works only for
-- a table without a policy, which only find_objects reads (decision 40). Triggers write it, one statement at a time, so that
-- code that writes an object, such as an import of 100,000, need not consider search.
create table object_words (
  -- No foreign key: the triggers insert and delete.
  object_id text collate "C" primary key,
  -- The id of the organization and the type: org_.../result.
  owner text collate "C" not null,
  -- The id of the engagement, or of the organization.
  tree text collate "C" not null,
  words tsvector not null
);

create index object_words_newest on object_words (owner, object_id);
create index object_words_words on object_words using gin (words);

-- The words of a text; whole IPv4 addresses in addition to their numbers; and the owners, each after a character that no
-- word contains, so that the index itself excludes the objects of others. Only the first 10,000 characters of a text count.
-- A word in a text below 600 bytes cannot exceed the length that Postgres accepts; cutting each word doubles the time.
create function object_vector(owners text[], value text) returns tsvector
language sql immutable parallel safe
return array_to_tsvector(
  case when octet_length(value) < 600
    then array_remove(string_to_array(search_text(value), ' '), '')
    else array(select left(word, 64) from string_to_table(search_text(left(value, 10000)), ' ') word where word <> '')
  end
  || array(select address[1] from regexp_matches(left(value, 10000), '\m\d{1,3}(?:\.\d{1,3}){3}\M', 'g') address)
  || owners);

-- Triggers. They read only the rows that the statement wrote, and write past row-level security as their owner.

create function forget_words() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  delete from object_words w using gone g where w.object_id = g.id;
  return null;
end $$;

-- For texts below 600 bytes, which are most, this repeats the expression of object_vector: calling the function for each row
-- takes three times as long, which lists of ten thousand targets notice.
create function add_target_words() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into object_words (object_id, owner, tree, words)
  select a.id, a.organization_id || '/target', a.engagement_id,
    case when octet_length(t.value) < 600
      then array_to_tsvector(array_remove(string_to_array(search_text(t.value), ' '), '')
        || array(select address[1] from regexp_matches(t.value, '\m\d{1,3}(?:\.\d{1,3}){3}\M', 'g') address)
        || array['=' || a.organization_id || '/target', '=' || a.engagement_id || '/target'])
      else object_vector(array['=' || a.organization_id || '/target', '=' || a.engagement_id || '/target'], t.value)
    end
  from added a
  -- `offset 0` keeps Postgres from computing the text at each use. A value that is its canonical form counts once.
  cross join lateral (
    select concat_ws(' ', a.value, nullif(a.canonical, a.value), array_to_string(a.tags, ' '), a.notes) as value offset 0) t;
  return null;
end $$;

create function change_target_words() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  update object_words set words = object_vector(array['=' || new.organization_id || '/target', '=' || new.engagement_id || '/target'],
    concat_ws(' ', new.value, new.canonical, array_to_string(new.tags, ' '), new.notes))
  where object_id = new.id;
  return null;
end $$;

create trigger words_of_added after insert on targets referencing new table as added
  for each statement execute function add_target_words();
create trigger words_of_changed after update on targets for each row
  when (old.value is distinct from new.value or old.canonical is distinct from new.canonical or old.tags is distinct from new.tags or old.notes is distinct from new.notes)
  execute function change_target_words();
create trigger words_of_gone after delete on targets referencing old table as gone
  for each statement execute function forget_words();

-- What tools say of a result: rule, description, evidence, output of scripts, code flows. The start of each text counts, so that a
-- long one does not displace the others. Lists and objects are JSON, whose line breaks are escapes that would become a part of the
-- next word.
create function result_texts(data jsonb, large_data jsonb) returns text
language sql immutable parallel safe
return concat_ws(' ', data ->> 'cve', data ->> 'ruleId', left(data ->> 'description', 2000),
  replace(left(large_data ->> 'evidence', 2000), '\n', ' '),
  replace(left(large_data ->> 'scripts', 2000), '\n', ' '),
  replace(left(large_data ->> 'codeFlows', 1000), '\n', ' '));

-- As for targets. An import calls it in a transaction of its own while the next results are written, so it locks the rows: the
-- words of a result that is changed or deleted meanwhile would be those before the change, or stay. Reads only rows of the
-- transaction's organization.
create function write_words_of_results(ids text[]) returns void
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
  from results a
  -- `offset 0` makes Postgres compute the text once, not once for each use.
  cross join lateral (select concat_ws(' ', a.asset, a.title, result_texts(a.data, a.large_data), array_to_string(a.tags, ' '), a.notes) as value offset 0) t
  where a.id = any(ids) and current_setting('sortie.organization', true) in (a.organization_id, '*') and a.trashed_at is null
  order by a.id for share of a
  on conflict (object_id) do nothing;
end $$;

create function add_result_words() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  -- An import writes them later.
  if current_setting('sortie.words', true) is distinct from 'later' then
    perform write_words_of_results(array(select id from added));
  end if;
  return null;
end $$;

create function change_result_words() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  update object_words set words = object_vector(array['=' || new.organization_id || '/result', '=' || new.engagement_id || '/result'],
    concat_ws(' ', new.asset, new.title, result_texts(new.data, new.large_data), array_to_string(new.tags, ' '), new.notes))
  where object_id = new.id;
  return null;
end $$;

create trigger words_of_added after insert on results referencing new table as added
  for each statement execute function add_result_words();
create trigger words_of_changed after update on results for each row
  when (old.asset is distinct from new.asset or old.title is distinct from new.title or (old.data -> 'cve') is distinct from (new.data -> 'cve')
    or (old.data -> 'ruleId') is distinct from (new.data -> 'ruleId') or (old.data -> 'description') is distinct from (new.data -> 'description')
    or (old.large_data -> 'evidence') is distinct from (new.large_data -> 'evidence') or (old.large_data -> 'scripts') is distinct from (new.large_data -> 'scripts')
    or (old.large_data -> 'codeFlows') is distinct from (new.large_data -> 'codeFlows')
    or old.tags is distinct from new.tags or old.notes is distinct from new.notes)
  execute function change_result_words();
create trigger words_of_gone after delete on results referencing old table as gone
  for each statement execute function forget_words();

create function add_task_words() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into object_words (object_id, owner, tree, words)
  select a.id, a.organization_id || '/task', a.engagement_id, object_vector(array['=' || a.organization_id || '/task', '=' || a.engagement_id || '/task'],
    concat_ws(' ', a.title, array_to_string(a.labels, ' '), a.description))
  from added a;
  return null;
end $$;

create function change_task_words() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  update object_words set words = object_vector(array['=' || new.organization_id || '/task', '=' || new.engagement_id || '/task'],
    concat_ws(' ', new.title, array_to_string(new.labels, ' '), new.description))
  where object_id = new.id;
  return null;
end $$;

create trigger words_of_added after insert on tasks referencing new table as added
  for each statement execute function add_task_words();
create trigger words_of_changed after update on tasks for each row
  when (old.title is distinct from new.title or old.labels is distinct from new.labels or old.description is distinct from new.description)
  execute function change_task_words();
create trigger words_of_gone after delete on tasks referencing old table as gone
  for each statement execute function forget_words();

create function add_request_words() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into object_words (object_id, owner, tree, words)
  select a.id, a.organization_id || '/request', coalesce(a.engagement_id, a.organization_id), object_vector(array['=' || a.organization_id || '/request', '=' || coalesce(a.engagement_id, a.organization_id) || '/request'],
    concat_ws(' ', a.name, a.method, a.url, a.description))
  from added a;
  return null;
end $$;

create function change_request_words() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  update object_words set words = object_vector(array['=' || new.organization_id || '/request', '=' || coalesce(new.engagement_id, new.organization_id) || '/request'],
    concat_ws(' ', new.name, new.method, new.url, new.description))
  where object_id = new.id;
  return null;
end $$;

create trigger words_of_added after insert on api_requests referencing new table as added
  for each statement execute function add_request_words();
create trigger words_of_changed after update on api_requests for each row
  when (old.name is distinct from new.name or old.method is distinct from new.method or old.url is distinct from new.url or old.description is distinct from new.description)
  execute function change_request_words();
create trigger words_of_gone after delete on api_requests referencing old table as gone
  for each statement execute function forget_words();

-- Search finds nothing in the trash: the words of an object go there with it, and come back with it.
create function words_of_trashed() returns trigger
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

create trigger words_of_trashed after update of trashed_at on tasks for each row
  when (old.trashed_at is distinct from new.trashed_at) execute function words_of_trashed('task');
create trigger words_of_trashed after update of trashed_at on results for each row
  when (old.trashed_at is distinct from new.trashed_at) execute function words_of_trashed('result');
create trigger words_of_trashed after update of trashed_at on targets for each row
  when (old.trashed_at is distinct from new.trashed_at) execute function words_of_trashed('target');

create function words_of_trashed_request() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  delete from object_words where object_id = new.id;
  if new.trashed_at is null then
    insert into object_words (object_id, owner, tree, words)
    values (new.id, new.organization_id || '/request', coalesce(new.engagement_id, new.organization_id),
      object_vector(array['=' || new.organization_id || '/request', '=' || coalesce(new.engagement_id, new.organization_id) || '/request'],
        concat_ws(' ', new.name, new.method, new.url, new.description)));
  end if;
  return null;
end $$;

create trigger words_of_trashed after update of trashed_at on api_requests for each row
  when (old.trashed_at is distinct from new.trashed_at) execute function words_of_trashed_request();

-- Ids of the newest objects of a type, at most `max`, that have all the words and that the viewer sees; of one tree, unless
-- `in_tree` is null. Returns nothing for an organization or a viewer other than those of the transaction.
--
-- A word that most objects have is found among the newest 2,000. Any other is looked up in the index, which stops after
-- 20,000 matches: a letter that a million objects have would otherwise take longer than the 2 seconds of a statement.
-- Matches among the newest 2,000 are always included.
create function find_objects(organization text, viewer text, type text, wanted tsquery, in_tree text, max integer)
returns table (object_id text)
language sql stable security definer rows 1000
begin atomic
  with hidden as materialized (select h.id from hidden_engagements(organization, viewer) h (id)),
  listed as materialized (
    select k.engagement_id as id from api_key_engagements k where k.organization_id = organization and k.api_key_id = viewer
  ),
  newest as materialized (
    select w.object_id, w.tree, w.words from object_words w where w.owner = organization || '/' || type order by w.object_id desc limit 2000
  ),
  common as materialized (
    select n.object_id from newest n
    where n.words @@ wanted and (in_tree is null or n.tree = in_tree)
      and organization = current_setting('sortie.organization', true) and viewer = current_setting('sortie.viewer', true)
      and case
        when viewer like 'key\_%' then n.tree in (select id from listed)
        when viewer in ('all', 'open') or viewer like 'usr\_%' then n.tree not in (select id from hidden)
        else false end
    limit max
  )
  select found.object_id from (
    select c.object_id from common c
    union
    select match.object_id from (
      select w.object_id from object_words w
      where (select count(*) from common) < max
        and w.words @@ (wanted && ('''=' || coalesce(in_tree, organization) || '/' || type || '''')::tsquery)
        and w.owner = organization || '/' || type
        and organization = current_setting('sortie.organization', true) and viewer = current_setting('sortie.viewer', true)
        and case
          when viewer like 'key\_%' then w.tree in (select id from listed)
          when viewer in ('all', 'open') or viewer like 'usr\_%' then w.tree not in (select id from hidden)
          else false end
      limit 20000
    ) match
  ) found
  order by found.object_id desc limit max;
end;
