-- Search takes letters for the plain letters that people type for them: ß for ss, ł for l, ø for o, æ for ae, đ and ð for d, œ for
-- oe, þ for th, ligatures and full-width letters for what they are made of. The same as words.ts makes. A text as long in bytes as
-- in characters is ASCII (the encoding is UTF-8) and needs none of that.
create or replace function search_text(value text) returns text
language sql immutable strict parallel safe
return ' ' || regexp_replace(
  case when octet_length(value) = char_length(value) then lower(value collate names)
  else replace(replace(replace(replace(
    translate(lower(regexp_replace(normalize(few_marks(value), nfkd), '[\u0300-\u036f]', '', 'g') collate names), 'łøđðħŧı', 'loddhti'),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
  end,
  '[^[:alnum:]]+', ' ', 'g');

-- What is stored of it is computed again. Row-level security shows all of it to this transaction only.
select set_config('sortie.organization', '*', true), set_config('sortie.viewer', '*', true);

alter table engagements drop column search_text;
alter table engagements add column search_text text generated always as
  (search_text(name || ' ' || client_name || ' ' || description)) stored;

-- Of objects, where any letter is beyond ASCII: as 0038 has it.
update object_words w set words = object_vector(array['=' || o.organization_id || '/target', '=' || o.engagement_id || '/target'], o.value)
from (select id, organization_id, engagement_id, concat_ws(' ', value, canonical, array_to_string(tags, ' '), notes) as value from targets) o
where w.object_id = o.id and o.value ~ '[^\u0001-\u007f]';
update object_words w set words = object_vector(array['=' || o.organization_id || '/result', '=' || o.engagement_id || '/result'], o.value)
from (select id, organization_id, engagement_id, concat_ws(' ', asset, title, data ->> 'cve', array_to_string(tags, ' '), notes) as value from results) o
where w.object_id = o.id and o.value ~ '[^\u0001-\u007f]';
update object_words w set words = object_vector(array['=' || o.organization_id || '/task', '=' || o.engagement_id || '/task'], o.value)
from (select id, organization_id, engagement_id, concat_ws(' ', title, array_to_string(labels, ' '), description) as value from tasks) o
where w.object_id = o.id and o.value ~ '[^\u0001-\u007f]';
update object_words w set words = object_vector(array['=' || o.organization_id || '/request', '=' || o.tree || '/request'], o.value)
from (select id, organization_id, coalesce(engagement_id, organization_id) as tree, concat_ws(' ', name, method, url, description) as value
  from api_requests) o
where w.object_id = o.id and o.value ~ '[^\u0001-\u007f]';

-- Of pages: those of the title weigh more, and a row holds as many words as fit into 700,000 bytes (searchVector in words.ts).
update wiki_page_words w set title_words = coalesce(made.title, '')::tsvector, words = concat_ws(' ', made.words, '=' || p.organization_id)::tsvector
from wiki_pages p
join wiki_revisions r on r.organization_id = p.organization_id and r.page_id = p.id and r.revision = p.revision
cross join lateral (
  select string_agg(word, ' ') filter (where is_title) as title, string_agg(word || case when is_title then ':1A' else ':1' end, ' ') as words
  from (
    select word, is_title, sum(octet_length(word) + 12) over (order by is_title desc, word) as bytes
    from (
      select left(word, 64) as word, bool_or(is_title) as is_title
      from (
        select word, true as is_title from string_to_table(search_text(p.title), ' ') word
        union all select word, false from string_to_table(search_text(r.body), ' ') word
      ) said where word <> '' group by 1
    ) different
  ) counted where bytes <= 700000
) made
where w.page_id = p.id and p.title || r.body ~ '[^\u0001-\u007f]';
