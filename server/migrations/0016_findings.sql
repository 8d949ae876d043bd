-- Findings: what is reported to a client about one root cause, with its affected assets, texts, history and review state.

-- The last number of a finding in each engagement: numbers are never reused.
create table finding_numbers (
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  last integer not null,
  primary key (organization_id, engagement_id),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade
);

create table findings (
  id text collate "C" primary key,
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  number integer not null check (number > 0),
  title text collate names not null,
  -- 0 info, 1 low, 2 medium, 3 high, 4 critical
  severity smallint not null check (severity between 0 and 4),
  severity_reason text not null default '',
  cvss_vector text collate "C",
  cvss_score real check (cvss_score between 0 and 10),
  state text collate "C" not null default 'draft' check (state in ('draft', 'in_review', 'approved')),
  -- With assets, follows from their statuses.
  status text collate "C" not null default 'open' check (status in ('open', 'partly_fixed', 'fixed', 'not_reproducible', 'withdrawn')),
  -- {state, until, reason, by, at}
  client_status jsonb,
  verification text collate "C" not null default 'none' check (verification in ('none', 'machine_found', 'machine_verified', 'human_verified')),
  summary text not null default '',
  description text not null default '',
  impact text not null default '',
  reproduction text not null default '',
  recommendation text not null default '',
  -- Of the current texts, which are also the row of this revision in finding_revisions.
  revision integer not null check (revision > 0),
  -- The revision that was approved last.
  approved_revision integer,
  -- What guests see of a published finding.
  published_revision integer,
  published_at timestamptz(3),
  source_references text[] not null default '{}',
  cwe text[] not null default '{}',
  cve text[] not null default '{}',
  owasp text[] not null default '{}',
  wstg text[] not null default '{}',
  attack text[] not null default '{}',
  tags text[] not null default '{}',
  author_id text collate "C" references users (id),
  reviewer_id text collate "C" references users (id),
  -- Users who wrote any of its texts: with four-eyes review none of them can approve it.
  writers text[] collate "C" not null default '{}',
  -- [{type, id}]
  proofs jsonb not null default '[]',
  -- The entry of the library that it was made from. Built-in entries have no row, and entries can be deleted: no foreign key.
  library_entry_id text collate "C",
  library_version integer,
  -- The finding of an earlier engagement that it retests. It outlives that one.
  retest_of text collate "C",
  affected_counts jsonb not null default '{"open":0,"partly_fixed":0,"fixed":0,"not_reproducible":0,"withdrawn":0}',
  -- Fractional index among the findings of the engagement, including those in the trash.
  position text collate "C" not null check (octet_length(position) <= 400),
  trashed_at timestamptz(3),
  -- Null for an API key, which the audit log names.
  created_by text collate "C" references users (id),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  searched text not null generated always as (lower(title collate names)) stored,
  unique (organization_id, engagement_id, id),
  unique (organization_id, id),
  unique (organization_id, engagement_id, number),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade,
  foreign key (organization_id, retest_of) references findings (organization_id, id) on delete set null (retest_of),
  check ((cvss_vector is null) = (cvss_score is null)),
  check ((library_entry_id is null) = (library_version is null))
);

create index findings_position on findings (organization_id, engagement_id, position, id);
create index findings_severity on findings (organization_id, engagement_id, severity, id);
create index findings_updated on findings (organization_id, engagement_id, updated_at, id);
create index findings_created on findings (organization_id, engagement_id, created_at, id);
create index findings_organization on findings (organization_id, created_at, id);
create index findings_trash on findings (trashed_at) where trashed_at is not null;
create index findings_author on findings (author_id);
create index findings_reviewer on findings (reviewer_id);
create index findings_creator on findings (created_by);
create index findings_library on findings (organization_id, library_entry_id) where library_entry_id is not null;
-- Filters with the default sort.
create index findings_state on findings (organization_id, engagement_id, state, position, id);
create index findings_status on findings (organization_id, engagement_id, status, position, id);
create index findings_retest_of on findings (organization_id, retest_of) where retest_of is not null;

-- All texts of a finding, as wiki_revisions has those of pages.
create table finding_revisions (
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  finding_id text collate "C" not null,
  revision integer not null,
  summary text not null,
  description text not null,
  impact text not null,
  reproduction text not null,
  recommendation text not null,
  -- Bytes of the five texts in UTF-8.
  size integer not null,
  counted_bytes integer not null default 0,
  author text collate "C" references users (id),
  created_at timestamptz(3) not null,
  -- When the first save of the entry was made.
  edit_started_at timestamptz(3) not null,
  -- When the next revision was saved; null for the current one.
  superseded_at timestamptz(3),
  -- The next revision belongs to the same entry: this one is not part of the history.
  is_squashed boolean not null default false,
  primary key (organization_id, finding_id, revision),
  foreign key (organization_id, engagement_id, finding_id) references findings (organization_id, engagement_id, id) on delete cascade
);

create index finding_revisions_engagement on finding_revisions (organization_id, engagement_id, finding_id);
create index finding_revisions_squashed on finding_revisions (superseded_at) where is_squashed;
create index finding_revisions_author on finding_revisions (author);

create function count_finding_revision() returns trigger language plpgsql as $$
begin
  new.counted_bytes := new.size;
  return new;
end $$;

create trigger count_bytes before insert or update of size on finding_revisions for each row execute function count_finding_revision();
create trigger bytes_added after insert on finding_revisions referencing new table as added for each statement execute function bytes_added();
create trigger bytes_gone after delete on finding_revisions referencing old table as gone for each statement execute function bytes_gone();

-- Places at which a finding applies.
create table affected_assets (
  id text collate "C" primary key,
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  finding_id text collate "C" not null,
  -- One line.
  asset text not null,
  -- SHA-256 of the line, in hexadecimal: an asset is unique within its finding.
  fingerprint text collate "C" not null,
  -- Null after the target is deleted.
  target_id text collate "C",
  note text not null default '',
  status text collate "C" not null default 'open' check (status in ('open', 'partly_fixed', 'fixed', 'not_reproducible', 'withdrawn')),
  client_status jsonb,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (organization_id, id),
  unique (organization_id, engagement_id, id),
  unique (finding_id, fingerprint),
  foreign key (organization_id, engagement_id, finding_id) references findings (organization_id, engagement_id, id) on delete cascade,
  foreign key (organization_id, target_id) references targets (organization_id, id) on delete set null (target_id)
);

create index affected_assets_finding on affected_assets (organization_id, engagement_id, finding_id, id);
create index affected_assets_target on affected_assets (organization_id, target_id) where target_id is not null;
-- The assets of one finding in their order.
create index affected_assets_order on affected_assets (organization_id, finding_id, id);
create index affected_assets_status on affected_assets (organization_id, finding_id, status, id);

-- The results that were seen at an affected asset.
create table affected_results (
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  finding_id text collate "C" not null,
  affected_id text collate "C" not null,
  result_id text collate "C" not null,
  primary key (organization_id, affected_id, result_id),
  foreign key (organization_id, engagement_id, affected_id) references affected_assets (organization_id, engagement_id, id) on delete cascade,
  foreign key (organization_id, engagement_id, finding_id) references findings (organization_id, engagement_id, id) on delete cascade,
  foreign key (organization_id, engagement_id, result_id) references results (organization_id, engagement_id, id) on delete cascade
);

create index affected_results_asset on affected_results (organization_id, engagement_id, affected_id);
create index affected_results_finding on affected_results (organization_id, engagement_id, finding_id);
create index affected_results_result on affected_results (organization_id, engagement_id, result_id);

-- Suggestions of findings, made from groups of results, that a team dismissed.
create table dismissed_suggestions (
  organization_id text collate "C" not null,
  engagement_id text collate "C" not null,
  key text collate "C" not null,
  -- Null for an API key, which the audit log names.
  dismissed_by text collate "C" references users (id),
  dismissed_at timestamptz(3) not null,
  primary key (organization_id, engagement_id, key),
  foreign key (organization_id, engagement_id) references engagements (organization_id, id) on delete cascade
);

create index dismissed_suggestions_by on dismissed_suggestions (dismissed_by);

-- Values of custom fields.
create trigger field_values_gone after delete on findings referencing old table as gone for each statement execute function field_values_gone();

-- Search, as for tasks. What is in the trash is not found.
create function add_finding_words() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into object_words (object_id, owner, tree, words)
  select a.id, a.organization_id || '/finding', a.engagement_id,
    object_vector(array['=' || a.organization_id || '/finding', '=' || a.engagement_id || '/finding'],
      concat_ws(' ', a.title, array_to_string(a.cwe || a.cve || a.tags, ' '), a.summary, a.description, a.impact, a.reproduction, a.recommendation))
  from added a where a.trashed_at is null;
  return null;
end $$;

create function change_finding_words() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  delete from object_words where object_id = new.id;
  if new.trashed_at is null then
    insert into object_words (object_id, owner, tree, words) values (new.id, new.organization_id || '/finding', new.engagement_id,
      object_vector(array['=' || new.organization_id || '/finding', '=' || new.engagement_id || '/finding'],
        concat_ws(' ', new.title, array_to_string(new.cwe || new.cve || new.tags, ' '), new.summary, new.description, new.impact, new.reproduction, new.recommendation)));
  end if;
  return null;
end $$;

create trigger words_of_added after insert on findings referencing new table as added
  for each statement execute function add_finding_words();
create trigger words_of_changed after update on findings for each row
  when (old.title is distinct from new.title or old.cwe is distinct from new.cwe or old.cve is distinct from new.cve or old.tags is distinct from new.tags
    or old.revision is distinct from new.revision or old.trashed_at is distinct from new.trashed_at)
  execute function change_finding_words();
create trigger words_of_gone after delete on findings referencing old table as gone
  for each statement execute function forget_words();

-- Links of tasks to findings.
create trigger titles_of_gone after delete on findings referencing old table as gone
  for each statement execute function keep_last_titles('title');
