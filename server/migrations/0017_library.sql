-- The library: texts of findings that an organization uses again, with their versions. Findings remember the entry that they were
-- made from.

create table library_entries (
  id text collate "C" primary key,
  organization_id text collate "C" not null references organizations (id),
  -- The engagement of the finding that it was proposed from. Null once it is approved: until then only those who see the
  -- engagement see the proposal.
  engagement_id text collate "C",
  -- That finding; null once it is approved.
  finding_id text collate "C",
  key text collate "C" not null,
  state text collate "C" not null default 'draft' check (state in ('draft', 'proposed', 'approved')),
  version integer not null default 1 check (version > 0),
  -- 0 info, 1 low, 2 medium, 3 high, 4 critical
  severity smallint not null check (severity between 0 and 4),
  cvss_vector text collate "C",
  cwe text[] not null default '{}',
  owasp text[] not null default '{}',
  wstg text[] not null default '{}',
  attack text[] not null default '{}',
  tags text[] not null default '{}',
  -- [{tool, ruleId}]
  rules jsonb not null default '[]',
  guidance text not null default '',
  main_language text collate "C" not null,
  -- By language: {title, summary, description, impact, reproduction, recommendation, references}
  texts jsonb not null,
  -- In the main language, for lists.
  title text collate names not null,
  counted_bytes integer not null default 0,
  -- Null for an API key, which the audit log names.
  created_by text collate "C" references users (id),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (organization_id, id),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade,
  foreign key (organization_id, engagement_id, finding_id) references findings (organization_id, engagement_id, id) on delete set null (finding_id)
);

-- A hidden proposal must not reserve its key.
create unique index library_entries_key on library_entries (organization_id, key) where engagement_id is null;
create index library_entries_engagement on library_entries (organization_id, engagement_id, id);
create index library_entries_finding on library_entries (organization_id, engagement_id, finding_id) where finding_id is not null;
create index library_entries_creator on library_entries (created_by);

create function count_library_entry() returns trigger language plpgsql as $$
begin
  new.counted_bytes := octet_length(new.texts::text) + octet_length(new.guidance) + octet_length(new.rules::text);
  return new;
end $$;

create trigger count_bytes before insert or update of texts, guidance, rules on library_entries
  for each row execute function count_library_entry();
create trigger bytes_added after insert on library_entries referencing new table as added for each statement execute function bytes_added();
create trigger bytes_changed after update on library_entries for each row
  when (old.counted_bytes <> new.counted_bytes) execute function bytes_changed();
create trigger bytes_gone after delete on library_entries referencing old table as gone for each statement execute function bytes_gone();
create trigger field_values_gone after delete on library_entries referencing old table as gone
  for each statement execute function field_values_gone();

-- The texts of each version of an entry that is not a proposal of one engagement.
create table library_versions (
  organization_id text collate "C" not null,
  entry_id text collate "C" not null,
  version integer not null,
  severity smallint not null,
  cvss_vector text collate "C",
  rules jsonb not null,
  texts jsonb not null,
  counted_bytes integer not null default 0,
  author text collate "C" references users (id),
  created_at timestamptz(3) not null,
  primary key (organization_id, entry_id, version),
  foreign key (organization_id, entry_id) references library_entries (organization_id, id) on delete cascade
);

create index library_versions_author on library_versions (author);

create function count_library_version() returns trigger language plpgsql as $$
begin
  new.counted_bytes := octet_length(new.texts::text) + octet_length(new.rules::text);
  return new;
end $$;

create trigger count_bytes before insert on library_versions for each row execute function count_library_version();
create trigger bytes_added after insert on library_versions referencing new table as added for each statement execute function bytes_added();
create trigger bytes_gone after delete on library_versions referencing old table as gone for each statement execute function bytes_gone();

-- Search, as for tasks.

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
