-- The library: texts of findings that an organization uses again, with their versions. Findings remember the entry that they were
-- made from. Reports have a language.

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

alter table findings
  -- Built-in entries have no row, and entries can be deleted: no foreign key.
  add column library_entry_id text collate "C",
  add column library_version integer,
  add check ((library_entry_id is null) = (library_version is null));

create index findings_library on findings (organization_id, library_entry_id) where library_entry_id is not null;

-- BCP 47; used if neither the request nor the client names a language.
alter table report_settings add column language text collate "C" not null default 'en';
