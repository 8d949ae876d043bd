-- What writing a result costs, for imports of a hundred thousand.

-- A target is of one engagement, so one index does for its results and for its foreign key.
create index results_target_id on results (organization_id, target_id, id) where target_id is not null;
drop index results_target;
drop index results_of_target;

-- An engagement is of an organization that exists, and so is what belongs to it: asked once more for each result, for nothing.
alter table results drop constraint results_organization_id_fkey;

-- The same words as before, made where they are needed: called for each row, object_vector takes three times as long as what
-- it does. Long texts, which are few, are left to it.
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
  -- `offset 0` keeps the text from being made anew wherever it stands.
  cross join lateral (select concat_ws(' ', a.asset, a.title, a.data ->> 'cve', array_to_string(a.tags, ' '), a.notes) as value offset 0) t;
  return null;
end $$;
