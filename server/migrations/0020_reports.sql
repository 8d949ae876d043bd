-- Reports: their sections with the revisions of the texts, and waivers of their checks.

create table reports (
  id text collate "C" primary key,
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  title text collate names not null,
  kind text collate "C" not null check (kind in ('final', 'interim', 'retest', 'attestation')),
  -- BCP 47.
  language text collate "C" not null,
  -- Built-in templates have no row: no foreign key.
  template_id text collate "C" not null,
  template_version integer not null check (template_version > 0),
  state text collate "C" not null default 'draft' check (state in ('draft', 'in_review', 'approved')),
  -- Filters of the list of findings, or {ids}.
  finding_filter jsonb not null default '{}',
  options jsonb not null default '{}',
  author_ids text[] collate "C" not null default '{}',
  -- Users who wrote any of its text: with four-eyes review none of them can approve it.
  writers text[] collate "C" not null default '{}',
  approved_by text collate "C" references users (id),
  approved_at timestamptz(3),
  -- SHA-256 of what the report showed when it was approved, in hexadecimal.
  approved_digest text collate "C",
  -- Number of the latest edition; null before the first.
  latest_edition integer check (latest_edition > 0),
  -- Null for an API key, which the audit log names.
  created_by text collate "C" references users (id),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  searched text not null generated always as (lower(title collate names)) stored,
  unique (organization_id, id),
  unique (organization_id, engagement_id, id),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade,
  check ((state = 'approved') = (approved_digest is not null))
);

create index reports_engagement on reports (organization_id, engagement_id, id);
create index reports_updated on reports (organization_id, engagement_id, updated_at, id);
create index reports_created on reports (organization_id, engagement_id, created_at, id);
create index reports_template on reports (organization_id, template_id);
create index reports_approver on reports (approved_by) where approved_by is not null;
create index reports_creator on reports (created_by);

create table report_sections (
  id text collate "C" primary key,
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  report_id text collate "C" not null,
  key text collate "C" not null,
  title text not null default '',
  body text not null default '',
  -- Null in text sections.
  live_type text collate "C" check (live_type in ('findings', 'findings_table', 'severity_summary', 'scope', 'testing_window', 'coverage', 'inventory', 'team', 'contacts', 'tools', 'operations', 'retest', 'changes', 'glossary')),
  live_options jsonb not null default '{}',
  hidden boolean not null default false,
  -- Of the current text, which is also the row of this revision in report_section_revisions.
  revision integer not null default 1 check (revision > 0),
  -- Fractional index among the sections of the report.
  position text collate "C" not null check (octet_length(position) <= 400),
  updated_at timestamptz(3) not null,
  unique (organization_id, id),
  unique (organization_id, engagement_id, id),
  unique (report_id, key),
  foreign key (organization_id, engagement_id, report_id) references reports (organization_id, engagement_id, id) on delete cascade
);

create index report_sections_report on report_sections (organization_id, engagement_id, report_id, position, id);
create index report_sections_of_report on report_sections (organization_id, report_id, position, id);

-- Texts of a section that an edit may still be based on.
create table report_section_revisions (
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  section_id text collate "C" not null,
  revision integer not null,
  body text not null,
  counted_bytes integer not null default 0,
  -- When the next revision was saved; null for the current one.
  superseded_at timestamptz(3),
  primary key (organization_id, section_id, revision),
  foreign key (organization_id, engagement_id, section_id) references report_sections (organization_id, engagement_id, id) on delete cascade
);

create index report_section_revisions_engagement on report_section_revisions (organization_id, engagement_id, section_id);
create index report_section_revisions_superseded on report_section_revisions (superseded_at) where superseded_at is not null;

create function count_report_section_revision() returns trigger language plpgsql as $$
begin
  new.counted_bytes := octet_length(new.body);
  return new;
end $$;

create trigger count_bytes before insert on report_section_revisions for each row execute function count_report_section_revision();
create trigger bytes_added after insert on report_section_revisions referencing new table as added for each statement execute function bytes_added();
create trigger bytes_gone after delete on report_section_revisions referencing old table as gone for each statement execute function bytes_gone();

create table report_waivers (
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  report_id text collate "C" not null,
  code text collate "C" not null,
  -- SHA-256 of code, object, section and quote, in hexadecimal.
  fingerprint text collate "C" not null,
  object_type text collate "C" not null,
  object_id text collate "C" not null,
  section text collate "C",
  quote text,
  reason text not null,
  -- Null for an API key, which the audit log names.
  waived_by text collate "C" references users (id),
  by_name text not null,
  waived_at timestamptz(3) not null,
  primary key (organization_id, report_id, fingerprint),
  foreign key (organization_id, engagement_id, report_id) references reports (organization_id, engagement_id, id) on delete cascade
);

create index report_waivers_report on report_waivers (organization_id, engagement_id, report_id);
create index report_waivers_by on report_waivers (waived_by) where waived_by is not null;

-- Search, as for retests: the title, and the texts of the sections.
create function report_words(report reports) returns tsvector
language sql stable
return object_vector(array['=' || report.organization_id || '/report', '=' || report.engagement_id || '/report'],
  concat_ws(' ', report.title::text,
    (select string_agg(concat_ws(' ', s.title, s.body), ' ' order by s.position, s.id) from report_sections s
      where s.organization_id = report.organization_id and s.report_id = report.id)));

create function add_report_words() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into object_words (object_id, owner, tree, words)
  select r.id, r.organization_id || '/report', r.engagement_id, report_words(r)
  from reports r join added a on a.organization_id = r.organization_id and a.id = r.id;
  return null;
end $$;

create function change_report_words() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  update object_words set words = report_words(new) where object_id = new.id;
  return null;
end $$;

create trigger words_of_added after insert on reports referencing new table as added
  for each statement execute function add_report_words();
-- Each change of a section also changes the report.
create trigger words_of_changed after update on reports for each row
  when (old.title is distinct from new.title or old.updated_at is distinct from new.updated_at)
  execute function change_report_words();
create trigger words_of_gone after delete on reports referencing old table as gone
  for each statement execute function forget_words();
