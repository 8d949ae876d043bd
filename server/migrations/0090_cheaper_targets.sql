-- What adding a target costs, for lists of ten thousand.

-- An engagement is of an organization that exists, and so is what belongs to it (as 0063 has it for results).
alter table targets drop constraint targets_organization_id_fkey;

-- The same words as before, made where they are needed (as 0063 has it for results): called for each row, object_vector takes
-- three times as long as what it does. Long texts, which are few, are left to it. A value that is its canonical form is read once.
create or replace function add_target_words() returns trigger
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
  -- `offset 0` keeps the text from being computed again wherever it stands.
  cross join lateral (
    select concat_ws(' ', a.value, nullif(a.canonical, a.value), array_to_string(a.tags, ' '), a.notes) as value offset 0) t;
  return null;
end $$;
